import { placeOf, type SealedPlace } from '../../db/sealed-columns.ts';
import { createHash } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { type Move, moveRow, NOW } from '../../db/schema/move.ts';
import { payouts } from '../../db/tables/payout.ts';
import { conflict } from '../../domain/errors.ts';
import type { PayoutAction } from '../../domain/lifecycle/payout.ts';
import { type Nanos, NANOS_PER_UNIT } from '../../domain/money.ts';
import type { ActivityDeps } from '../deps.ts';
import { writeBankFile } from '../providers/bank-file.ts';
import type { PayoutOrder } from '../providers/payout-port.ts';
import type { Destination } from './payout-accounts.ts';
import { accountPlaceOf, openedAccount } from './payout-destination.ts';
import type { LockedWithdrawal } from './withdrawal-moves.ts';

export const filePlaceOf = (withdrawalId: number): SealedPlace =>
  placeOf('payouts.sealed_file', withdrawalId);

/** What the bank or provider knows the payment by; never made of anything that changes. */
const referenceOf = (withdrawalId: number): string => `WD-${withdrawalId}`;

/** The order, written before anything leaves. For a bank its file as well, once: every download is these bytes. */
export async function openPayout(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
): Promise<void> {
  const { id: withdrawalId, channel } = withdrawal;
  const externalRef = referenceOf(withdrawalId);
  const row = { withdrawalId, channel, externalRef };
  if (channel !== 'BANK') {
    await deps.db.models.payouts.create({ ...row, state: 'READY' }, { transaction: tx });
    return;
  }
  const file = bankFile(deps, withdrawal);
  await deps.db.models.payouts.create(
    {
      ...row,
      state: 'FILE',
      sealedFile: Buffer.from(deps.providers.sealer.seal(file, filePlaceOf(withdrawalId))),
      fileSha256: createHash('sha256').update(file).digest('hex'),
      fileName: `pain.001-${externalRef}.xml`,
    },
    { transaction: tx },
  );
}

function bankFile(deps: ActivityDeps, withdrawal: LockedWithdrawal): string {
  const destination = openDestination(deps, withdrawal);
  const { origin } = deps.providers.payouts;
  if (destination.channel !== 'BANK' || origin === null) {
    throw conflict('Bank payouts are not configured on this platform.');
  }
  return writeBankFile(origin, {
    reference: referenceOf(withdrawal.id),
    amount: decimalText(withdrawal.arrivalNanos, 2),
    currency: withdrawal.currency,
    account: destination.account,
    createdAt: deps.clock(),
  });
}

/** As its provider takes it. */
export const orderOf = (deps: ActivityDeps, { withdrawal, payout }: LockedPayout): PayoutOrder => ({
  key: payout.externalRef,
  amount: decimalText(withdrawal.arrivalNanos, withdrawal.channel === 'USDT' ? 6 : 2),
  currency: withdrawal.currency,
  destination: openDestination(deps, withdrawal),
});

function openDestination(deps: ActivityDeps, withdrawal: LockedWithdrawal): Destination {
  const sealed = withdrawal.sealedAccount?.toString('utf8');
  if (sealed === undefined) throw new Error(`withdrawal ${withdrawal.id} has no account`);
  return JSON.parse(openedAccount(deps, sealed, accountPlaceOf(withdrawal))) as Destination;
}

/** `95.00`: as many decimals as the channel pays; the amounts are whole steps of it. */
function decimalText(amountNanos: Nanos, decimals: 2 | 6): string {
  const fraction = (amountNanos % NANOS_PER_UNIT).toString().padStart(9, '0').slice(0, decimals);
  return `${amountNanos / NANOS_PER_UNIT}.${fraction}`;
}

export interface LockedPayout {
  withdrawal: LockedWithdrawal;
  payout: RecordOf<'payouts'>;
}

/** Always behind its withdrawal's lock. */
export async function lockPayout(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
): Promise<LockedPayout> {
  const payout = await deps.db.models.payouts.findByPk(withdrawal.id, {
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  if (payout === null) throw new Error(`withdrawal ${withdrawal.id} has no payout`);
  return { withdrawal, payout };
}

/** Raises state_conflict for an illegal move. The record in hand stays as it was read. */
export async function movePayout(
  deps: ActivityDeps,
  tx: Transaction,
  { withdrawalId }: RecordOf<'payouts'>,
  { action, ...set }: { action: PayoutAction } & Move<typeof payouts, 'state'>['set'],
): Promise<void> {
  await moveRow(runner(deps.db, tx), payouts, {
    state: 'state',
    action,
    where: { withdrawalId },
    set: { ...set, updatedAt: NOW },
  });
}
