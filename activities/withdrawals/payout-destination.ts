import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { invalid } from '../../domain/errors.ts';
import { NEW_ACCOUNT_WAIT_MS, type PayoutChannel } from '../../domain/lifecycle/withdrawal.ts';
import { BANK_CARD_SEAL, fingerprintOf } from './bank-cards.ts';
import type { ActivityDeps } from '../deps.ts';
import {
  type BankAccount,
  type Destination,
  maskDestination,
  readDestination,
} from './payout-accounts.ts';

/** A bank account that is kept, or one given with the request. */
export type BankChoice = { bankCardId: number } | { account: BankAccount };

export interface ChosenDestination {
  sealed: string;
  masked: string;
  fingerprint: string;
  bankCardId: number | null;
  /** Before it no money leaves for this account (interface 4.12). */
  usableFrom: Date;
}

export const WITHDRAWAL_SEAL = 'withdrawals.sealed_account';

interface Wish {
  publisherId: number;
  channel: PayoutChannel;
  accountInfo: string | null;
  bank: BankChoice | null;
}

/**
 * Where a withdrawal goes, sealed for its row. BANK without an account takes the default card. An
 * account that this publisher has not named before counts as new from now on: it is taken, and the
 * money waits. Raises validation_failed.
 */
export async function chooseDestination(
  deps: ActivityDeps,
  tx: Transaction,
  wish: Wish,
): Promise<ChosenDestination> {
  if (!deps.providers.payouts.availability(wish.channel).available) {
    throw invalid({
      field: 'payment_method',
      code: 'not_available',
      message: `${wish.channel} is not configured on this platform.`,
    });
  }
  if (wish.channel !== 'BANK') {
    if (wish.bank !== null) throw misplaced('bank_info', 'is for the channel BANK');
    return await seal(deps, tx, wish, readDestination(wish.channel, wish.accountInfo));
  }
  if (wish.accountInfo !== null) throw misplaced('account_info', 'give bank_info for a bank');
  if (wish.bank !== null && 'account' in wish.bank) {
    const { account } = wish.bank;
    return await seal(deps, tx, wish, { channel: 'BANK', account });
  }
  const card = await readCard(deps, tx, wish.publisherId, wish.bank?.bankCardId ?? null);
  const chosen = await seal(deps, tx, wish, { channel: 'BANK', account: card.account });
  return { ...chosen, bankCardId: card.id, usableFrom: card.usableFrom };
}

const misplaced = (field: string, message: string) =>
  invalid({ field, code: 'not_for_channel', message });

async function seal(
  deps: ActivityDeps,
  tx: Transaction,
  wish: Wish,
  destination: Destination,
): Promise<ChosenDestination> {
  const fingerprint = fingerprintOf(deps, destination);
  const since = await firstNamed(deps, tx, wish.publisherId, fingerprint);
  return {
    sealed: deps.providers.sealer.seal(JSON.stringify(destination), WITHDRAWAL_SEAL),
    masked: maskDestination(destination),
    fingerprint,
    bankCardId: null,
    usableFrom: new Date((since ?? deps.clock()).getTime() + NEW_ACCOUNT_WAIT_MS),
  };
}

/** When this publisher first named the account, by a card it still has or by a withdrawal. */
async function firstNamed(
  deps: ActivityDeps,
  tx: Transaction,
  publisherId: number,
  fingerprint: string,
): Promise<Date | null> {
  const { rows } = await runner(deps.db, tx).query<{ since: Date | null }>(
    `SELECT LEAST(
       (SELECT min(created_at) FROM withdrawals WHERE destination_fingerprint = $2 AND publisher_id = $1),
       (SELECT min(created_at) FROM bank_cards
        WHERE fingerprint = $2 AND publisher_id = $1 AND status = 'ACTIVE')) AS since`,
    [publisherId, fingerprint],
  );
  return rows[0]?.since ?? null;
}

async function readCard(
  deps: ActivityDeps,
  tx: Transaction,
  publisherId: number,
  bankCardId: number | null,
): Promise<{ id: number; account: BankAccount; usableFrom: Date }> {
  const { rows } = await runner(deps.db, tx).query<{
    id: string;
    sealed_info: Buffer;
    usable_from: Date;
  }>(
    `SELECT id, sealed_info, usable_from FROM bank_cards
     WHERE publisher_id = $1 AND status = 'ACTIVE'
       AND CASE WHEN $2::bigint IS NULL THEN is_default ELSE id = $2 END`,
    [publisherId, bankCardId],
  );
  const [card] = rows;
  if (card === undefined) {
    throw bankCardId === null
      ? invalid({
          field: 'bank_info',
          code: 'required',
          message: 'name a bank card, or give the account',
        })
      : invalid({
          field: 'bank_info.bank_card_id',
          code: 'unknown',
          message: 'No such bank card.',
        });
  }
  const text = deps.providers.sealer.open(card.sealed_info.toString('utf8'), BANK_CARD_SEAL);
  return {
    id: Number(card.id),
    account: JSON.parse(text) as BankAccount,
    usableFrom: card.usable_from,
  };
}
