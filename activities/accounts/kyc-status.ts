import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { conflict } from '../../domain/errors.ts';
import { kycLifecycle } from '../../domain/lifecycle/kyc.ts';
import type { KycStatus } from '../../domain/lifecycle/profile.ts';
import { statusesBefore, transition } from '../../domain/lifecycle/transition.ts';
import type { ActivityDeps } from '../deps.ts';
import type { MailKind } from './mail-letters.ts';
import { queueMail } from './mails.ts';

const LETTER_LIVES_MS = 7 * 86_400_000;
/** Per transaction; the next round of upkeep takes the rest. */
const EXPIRED_AT_ONCE_MAX = 500;

/** News of the verification; a week later the console has shown it anyway. */
export async function writeToOwner(
  deps: ActivityDeps,
  tx: Transaction,
  accountId: number,
  kind: MailKind,
): Promise<void> {
  const expiresAt = new Date(deps.clock().getTime() + LETTER_LIVES_MS);
  await queueMail(deps, tx, { kind, accountId, expiresAt });
}

/** The account's status by its table; the caller holds the row or the only task that may move it. */
export async function moveKycStatus(
  deps: ActivityDeps,
  tx: Transaction,
  move: { accountId: number; action: keyof (typeof kycLifecycle)['moves'] },
): Promise<void> {
  const [from] = statusesBefore(kycLifecycle, move.action);
  if (from === undefined) throw new Error(`${move.action} leads from nowhere`);
  const { rows } = await runner(deps.db, tx).query<{ id: string }>(
    `UPDATE accounts SET kyc_status = $2, version = version + 1, updated_at = now()
     WHERE id = $1 AND kyc_status = ANY($3::text[]) RETURNING id`,
    [
      move.accountId,
      transition(kycLifecycle, from, move.action),
      statusesBefore(kycLifecycle, move.action),
    ],
  );
  if (rows.length > 0) return;
  const found = await runner(deps.db, tx).query<{ kyc_status: KycStatus }>(
    'SELECT kyc_status FROM accounts WHERE id = $1',
    [move.accountId],
  );
  const status = found.rows[0]?.kyc_status ?? 'none';
  throw conflict(`Not possible while the verification is ${status}.`, { kyc_status: status });
}

/** Approvals whose time is over; harmless twice. Answers how many ended. */
export async function expireKyc(deps: ActivityDeps): Promise<number> {
  return await inTransaction(deps.db, async (tx) => await expireDue(deps, tx));
}

async function expireDue(deps: ActivityDeps, tx: Transaction): Promise<number> {
  const now = deps.clock();
  const { rows } = await runner(deps.db, tx).query<{ account_id: string }>(
    `UPDATE kyc_applications SET status = 'EXPIRED'
     WHERE id IN (SELECT id FROM kyc_applications WHERE status = 'APPROVED' AND expires_at <= $1
                  ORDER BY expires_at LIMIT ${EXPIRED_AT_ONCE_MAX} FOR UPDATE SKIP LOCKED)
     RETURNING account_id`,
    [now],
  );
  for (const { account_id: id } of rows) {
    const accountId = Number(id);
    await moveKycStatus(deps, tx, { accountId, action: 'expire' });
    await writeToOwner(deps, tx, accountId, 'kyc_expired');
  }
  return rows.length;
}
