import type { Transaction } from 'sequelize';
import { NOW } from '../../db/schema/move.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import type { depositLifecycle } from '../../domain/lifecycle/deposit.ts';
import { type Nanos, presentAmount } from '../../domain/money.ts';
import { notify } from '../accounts/notifications.ts';
import { recordOwn, statusChange } from '../core/history.ts';
import { moveRecord } from '../core/move-record.ts';
import type { ActivityDeps } from '../deps.ts';

type Deposit = RecordOf<'deposits'>;

type DepositAction = keyof (typeof depositLifecycle)['moves'];

/** Its owner has done it, or hears of it otherwise. */
const UNTOLD: ReadonlySet<DepositAction> = new Set(['review', 'receive', 'cancel', 'reopen']);

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
    set: {
      updatedAt: NOW,
      ...(action === 'credit' ? { paidAt: deps.clock() } : {}),
      ...(action === 'reopen' ? { paidAt: null } : {}),
    },
  });
  await recordOwn(deps.db, tx, {
    accountId: deposit.advertiserId,
    by: { operatorId: null },
    action: `deposit.${action}`,
    subject: { type: 'deposit', id: deposit.id },
    changes: statusChange(before, deposit.status),
  });
  if (UNTOLD.has(action)) return;
  const kind = action === 'credit' ? 'deposit_paid' : 'deposit_failed';
  const { amountNanos, status } = deposit;
  await tellOfDeposit(deps, tx, { deposit, kind, amountNanos, status });
}

/** Tells its owner; of money that came beside the order, that sum and what became of it. */
export async function tellOfDeposit(
  deps: ActivityDeps,
  tx: Transaction,
  told: {
    deposit: Deposit;
    kind: 'deposit_paid' | 'deposit_failed' | 'deposit_held' | 'deposit_taken_back';
    amountNanos: Nanos;
    status: Deposit['status'];
  },
): Promise<void> {
  const { deposit, kind, amountNanos, status } = told;
  await notify(deps, tx, {
    accountId: deposit.advertiserId,
    kind,
    subject: { type: 'deposit', id: deposit.id },
    params: {
      name: deposit.reference,
      amount: presentAmount(amountNanos),
      currency: deposit.currency,
      status,
    },
  });
}
