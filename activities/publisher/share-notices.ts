import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { columnsOf, readRows, select } from '../../db/schema/selection.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { accounts } from '../../db/tables/account.ts';
import { moneyTerms } from '../../db/tables/money-term.ts';
import { percentOf } from '../../domain/money-terms.ts';
import { notify } from '../accounts/notifications.ts';
import type { ActivityDeps } from '../deps.ts';

type Term = Pick<RecordOf<'moneyTerms'>, 'id' | 'ppm' | 'effectiveFrom'>;

/** Publishers in a transaction: nobody's letter waits long for another's. */
const AT_ONCE = 200;

/** A share of one publisher's own, in the transaction that agrees it; one for everybody is told in rounds. */
export async function tellShare(
  deps: ActivityDeps,
  tx: Transaction,
  termId: number,
): Promise<void> {
  const term = await deps.db.models.moneyTerms.findByPk(termId, { transaction: tx });
  if (term === null || term.publisherId === null) return;
  await tell(deps, tx, { term, accountId: term.publisherId, once: `share_agreed:${termId}` });
}

/**
 * Shares that were agreed for everybody are told to each publisher whose share they change, once, under a key of
 * the two. Not with the agreement: there are too many for one transaction. A round that is cut off leaves the
 * rest to the next. Answers how many were told.
 */
export async function tellSharesOfAll(deps: ActivityDeps, atOnce = AT_ONCE): Promise<number> {
  let told = 0;
  for (const term of await readNews(deps)) {
    let after: number | undefined = 0;
    while (after !== undefined) {
      const batch: number[] = await tellBatch(deps, { term, after, atOnce });
      told += batch.length;
      after = batch.length < atOnce ? undefined : batch.at(-1);
    }
  }
  return told;
}

const NEWS = select(columnsOf(moneyTerms, 't', ['id', 'ppm', 'effectiveFrom']));
/** In force or to come, and not in the place of one of the same height. */
const CHANGES = `t.kind = 'SHARE' AND t.publisher_id IS NULL AND t.status = 'APPROVED'
  AND t.ppm IS DISTINCT FROM (SELECT b.ppm FROM money_terms b
    WHERE b.kind = 'SHARE' AND b.publisher_id IS NULL AND b.status = 'APPROVED'
      AND b.effective_from < t.effective_from ORDER BY b.effective_from DESC LIMIT 1)`;

/** Longer than rounds may be down for: what is older was told, and is not looked through again. */
const readNews = async ({ db }: ActivityDeps): Promise<Term[]> =>
  await readRows(
    runner(db),
    NEWS,
    `SELECT ${NEWS.list} FROM money_terms t
     WHERE ${CHANGES} AND t.decided_at > now() - interval '7 days' ORDER BY t.id`,
  );

const PUBLISHER = select(columnsOf(accounts, 'a', ['id']));

/** Whoever has a share of their own on that day earns that; whoever came later never earned another. */
async function tellBatch(
  deps: ActivityDeps,
  { term, after, atOnce }: { term: Term; after: number; atOnce: number },
): Promise<number[]> {
  return await inTransaction(deps.db, async (tx) => {
    const untold = await readRows(
      runner(deps.db, tx),
      PUBLISHER,
      `SELECT ${PUBLISHER.list} FROM accounts a JOIN money_terms t ON t.id = $1 AND ${CHANGES}
       WHERE a.kind = 'PUBLISHER' AND a.id > $2 AND a.created_at <= t.decided_at
         AND NOT EXISTS (SELECT FROM money_terms o WHERE o.kind = 'SHARE' AND o.status = 'APPROVED'
           AND o.publisher_id = a.id AND o.effective_from <= t.effective_from
           AND (o.effective_until IS NULL OR o.effective_until > t.effective_from))
         AND NOT EXISTS (SELECT FROM notifications n
           WHERE n.dedupe_key = 'share_agreed:' || t.id || ':' || a.id)
       ORDER BY a.id LIMIT $3`,
      [term.id, after, atOnce],
    );
    for (const { id: accountId } of untold) {
      await tell(deps, tx, { term, accountId, once: `share_agreed:${term.id}:${accountId}` });
    }
    return untold.map(({ id }) => id);
  });
}

async function tell(
  deps: ActivityDeps,
  tx: Transaction,
  { term, accountId, once }: { term: Term; accountId: number; once: string },
): Promise<void> {
  const params = {
    percent: percentOf(term.ppm),
    from: term.effectiveFrom.toISOString().slice(0, 10),
  };
  const kind = 'share_agreed';
  await notify(deps, tx, { accountId, kind, subject: null, params, dedupeKey: once });
}
