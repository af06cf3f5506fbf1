import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { moveRows, NOW } from '../../db/schema/move.ts';
import { factorRecoveries } from '../../db/tables/factor-recovery.ts';
import type { Person } from '../../domain/person.ts';
import { RECOVERY_LAPSES_DAYS } from '../../domain/second-factor.ts';
import { voidApprovals } from '../core/approvals.ts';
import type { ActivityDeps } from '../deps.ts';

/** As approvals and the audit log call it. */
export const RECOVERY = 'factor_recovery';
const ROUND_MAX = 500;
/** What its person did, or was done about them, that ends it. */
export type RecoveryEnd =
  | 'FACTOR_SHOWN'
  | 'PASSWORD_CHANGED'
  | 'EMAIL_CHANGED'
  | 'DISOWNED'
  | 'SUSPENDED';

/** Nobody is let in any more by what was asked for, nor by a code that was sent and not used. */
export async function endRecoveries(
  deps: ActivityDeps,
  tx: Transaction,
  { personType, personId }: Person,
  why: RecoveryEnd,
): Promise<void> {
  const sql = runner(deps.db, tx);
  const ended = await moveRows(sql, factorRecoveries, {
    state: 'status',
    action: 'void',
    where: { personType, personId },
    set: { note: why, endedAt: NOW },
  });
  for (const { id } of ended) await voidApprovals(deps, tx, RECOVERY, id);
  await sql.query(
    `DELETE FROM recovery_codes WHERE person_type = $1 AND person_id = $2
       AND expires_at IS NOT NULL AND used_at IS NULL RETURNING id`,
    [personType, personId],
  );
}

/** What nobody granted in time is over; its person may ask anew. Harmless twice. */
export async function lapseRecoveries(deps: ActivityDeps): Promise<number> {
  const { rows } = await runner(deps.db).query<{ id: string }>(
    `SELECT id FROM factor_recoveries WHERE status = 'WAITING'
       AND not_before < now() - $1 * interval '1 day' ORDER BY id LIMIT ${ROUND_MAX}`,
    [RECOVERY_LAPSES_DAYS],
  );
  let lapsed = 0;
  for (const { id } of rows) {
    lapsed += await inTransaction(deps.db, async (tx) => {
      const ended = await moveRows(runner(deps.db, tx), factorRecoveries, {
        state: 'status',
        action: 'lapse',
        where: { id: Number(id) },
        set: { endedAt: NOW },
      });
      if (ended.length > 0) await voidApprovals(deps, tx, RECOVERY, id);
      return ended.length;
    });
  }
  return lapsed;
}
