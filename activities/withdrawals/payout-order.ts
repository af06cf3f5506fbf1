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
import { type BankPayment, writeBankFile } from '../providers/bank-file.ts';
import type { PayoutOrder } from '../providers/payout-port.ts';
import type { Destination } from './payout-accounts.ts';
import { accountPlaceOf, openedAccount } from './payout-destination.ts';
import type { LockedWithdrawal } from './withdrawal-moves.ts';

export const filePlaceOf = (withdrawalId: number): SealedPlace =>
  placeOf('payouts.sealed_file', withdrawalId);

/** What the bank or provider knows the payment by; never made of anything that changes. */
export const referenceOf = (withdrawalId: number): string => `WD-${withdrawalId}`;

export const fileNameOf = (reference: string): string => `pain.001-${reference}.xml`;

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
  const file = bankFileOf(deps, { reference: externalRef, withdrawals: [withdrawal] });
  await deps.db.models.payouts.create(
    {
      ...row,
      state: 'FILE',
      sealedFile: Buffer.from(deps.providers.sealer.seal(file, filePlaceOf(withdrawalId))),
      fileSha256: createHash('sha256').update(file).digest('hex'),
      fileName: fileNameOf(externalRef),
    },
    { transaction: tx },
  );
}

/** Of one order or several, all of one currency: what the bank is asked to pay. */
export function bankFileOf(
  deps: ActivityDeps,
  { reference, withdrawals }: { reference: string; withdrawals: readonly LockedWithdrawal[] },
): string {
  const { origin } = deps.providers.payouts;
  const [first] = withdrawals;
  if (origin === null || first === undefined) throw notConfigured();
  return writeBankFile(origin, {
    reference,
    currency: first.currency,
    total: decimalText(totalOf(withdrawals), 2),
    payments: withdrawals.map((withdrawal) => paymentOf(deps, withdrawal)),
    createdAt: deps.clock(),
  });
}

function paymentOf(deps: ActivityDeps, withdrawal: LockedWithdrawal): BankPayment {
  const destination = openDestination(deps, withdrawal);
  if (destination.channel !== 'BANK') throw notConfigured();
  const { id, arrivalNanos } = withdrawal;
  const amount = decimalText(arrivalNanos, 2);
  return { reference: referenceOf(id), amount, account: destination.account };
}

const notConfigured = () => conflict('Bank payouts are not configured on this platform.');

export const totalOf = (withdrawals: readonly LockedWithdrawal[]): Nanos =>
  withdrawals.reduce((sum, { arrivalNanos }) => sum + arrivalNanos, 0n);

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

export interface LockedOrders {
  withdrawals: Map<number, LockedWithdrawal>;
  payouts: Map<number, RecordOf<'payouts'>>;
}

/** In the order of their numbers, so that two who want the same wait for each other. */
export async function lockOrders(
  deps: ActivityDeps,
  tx: Transaction,
  ids: readonly number[],
): Promise<LockedOrders> {
  const models = deps.db.models;
  const held = await models.withdrawals.findAll({
    where: { id: [...ids] },
    order: [['id', 'ASC']],
    transaction: tx,
    lock: tx.LOCK.NO_KEY_UPDATE,
  });
  const orders = await models.payouts.findAll({
    where: { withdrawalId: [...ids] },
    order: [['withdrawalId', 'ASC']],
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  return {
    withdrawals: new Map(held.map((each) => [each.id, each])),
    payouts: new Map(orders.map((each) => [each.withdrawalId, each])),
  };
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
