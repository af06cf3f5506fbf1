import type { Transaction } from 'sequelize';
import { NOW } from '../../db/schema/move.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import type { depositLifecycle } from '../../domain/lifecycle/deposit.ts';
import { presentAmount } from '../../domain/money.ts';
import { notify } from '../accounts/notifications.ts';
import { recordOwn, statusChange } from '../core/history.ts';
import { moveRecord } from '../core/move-record.ts';
import type { ActivityDeps } from '../deps.ts';

type Deposit = RecordOf<'deposits'>;

type DepositAction = keyof (typeof depositLifecycle)['moves'];

/** Raises state_conflict for an illegal move. */
export async function moveDeposit(
  deps: ActivityDeps,
  tx: Transaction,
  deposit: Deposit,
  action: DepositAction,
): Promise<void> {
  const before = deposit.status;
  await moveRecord(deps.db, tx, 'deposits', {
    record: deposit,
    state: 'status',
    action,
    set: { updatedAt: NOW, ...(action === 'credit' ? { paidAt: deps.clock() } : {}) },
  });
  await recordOwn(deps.db, tx, {
    accountId: deposit.advertiserId,
    by: { operatorId: null },
    action: `deposit.${action}`,
    subject: { type: 'deposit', id: deposit.id },
    changes: statusChange(before, deposit.status),
  });
  if (action === 'review' || action === 'receive' || action === 'cancel') return;
  await notify(deps, tx, {
    accountId: deposit.advertiserId,
    kind: action === 'credit' ? 'deposit_paid' : 'deposit_failed',
    subject: { type: 'deposit', id: deposit.id },
    params: {
      name: deposit.reference,
      amount: presentAmount(deposit.amountNanos),
      currency: deposit.currency,
      status: deposit.status,
    },
  });
}
