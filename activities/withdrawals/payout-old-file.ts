import type { Transaction } from 'sequelize';
import type { FileTakenBack } from '../../db/queries/payout-file-take-backs.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { tellOperators } from '../accounts/operator-notices.ts';
import type { ActivityDeps } from '../deps.ts';

/**
 * The bank has a file that was taken back: nobody hands out another with this order now, and where that was done, it may
 * be paid twice. One notice of each file, whatever is said of how many of its orders (interface 4.12).
 */
export async function tellOfOldFile(
  deps: ActivityDeps,
  tx: Transaction,
  {
    payout,
    back: { reference: file, withdrawalIds },
  }: { payout: RecordOf<'payouts'>; back: FileTakenBack },
): Promise<void> {
  const of = { payout: payout.externalRef, file, again: payout.fileTakenAt };
  deps.log.error(of, 'the bank has a file that was taken back');
  await tellOperators(deps, tx, {
    kind: 'old_file_at_bank',
    roles: ['FINANCE', 'ADMIN'],
    subject: { type: 'withdrawal', id: Math.min(...withdrawalIds) },
    params: { file },
    once: file,
  });
}

/** The bank has booked an order whose money was given back: it has left twice. One notice of each. */
export async function tellOfGivenBack(
  deps: ActivityDeps,
  tx: Transaction,
  { id }: Pick<RecordOf<'withdrawals'>, 'id'>,
): Promise<void> {
  deps.log.error({ withdrawal_id: id }, 'the bank has paid what was given back');
  await tellOperators(deps, tx, {
    kind: 'paid_after_failed',
    roles: ['FINANCE', 'ADMIN'],
    subject: { type: 'withdrawal', id },
    params: {},
  });
}
