import { placeOf, type SealedPlace } from '../../db/sealed-columns.ts';
import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { time } from '../../db/schema/column.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { readRow, select } from '../../db/schema/selection.ts';
import type { WithdrawalRow } from '../../db/tables/withdrawal.ts';
import { conflict, invalid } from '../../domain/errors.ts';
import type { PayoutChannel } from '../../domain/lifecycle/withdrawal.ts';
import type { ActivityDeps } from '../deps.ts';
import {
  type BankAccount,
  canonicalDestination,
  type Destination,
  maskDestination,
  readDestination,
} from './payout-accounts.ts';

/** A bank account that is kept, or one given with the request. */
export type BankChoice = { bankCardId: number } | { account: BankAccount };

/** Of a withdrawal's row, what says where it goes. No money leaves before `accountUsableFrom` (interface 4.12). */
export type ChosenDestination = Pick<
  WithdrawalRow,
  'sealedAccount' | 'accountMasked' | 'destinationFingerprint' | 'bankCardId' | 'accountUsableFrom'
>;

/** Where sealed accounts lie; part of their seal. */
interface Owned {
  publisherId: number;
  id: number;
}
export const accountPlaceOf = ({ publisherId, id }: Owned): SealedPlace =>
  placeOf('withdrawals.sealed_account', publisherId, id);
export const cardPlaceOf = ({ publisherId, id }: Owned): SealedPlace =>
  placeOf('bank_cards.sealed_info', publisherId, id);
/** One place for cards and withdrawals, so that the same account is found in both. */
const DESTINATION_INDEX = 'payout.destination';

export const fingerprintOf = (deps: ActivityDeps, destination: Destination): string =>
  deps.providers.blindIndex(canonicalDestination(destination), DESTINATION_INDEX);

interface DestinationRequest {
  /** Of the row that it will be of: nobody else's opens it. */
  withdrawalId: number;
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
  request: DestinationRequest,
): Promise<ChosenDestination> {
  if (!deps.providers.payouts.availability(request.channel).available) {
    throw invalid({
      field: 'payment_method',
      code: 'not_available',
      message: `${request.channel} is not configured on this platform.`,
    });
  }
  if (request.channel !== 'BANK') {
    if (request.bank !== null) throw misplaced('bank_info', 'is for the channel BANK');
    const destination = readDestination(
      request.channel,
      request.accountInfo,
      deps.providers.payouts.networks,
    );
    refuseUnpayable(deps, destination);
    return await seal(deps, tx, request, destination);
  }
  if (request.accountInfo !== null) throw misplaced('account_info', 'give bank_info for a bank');
  if (request.bank !== null && 'account' in request.bank) {
    const { account } = request.bank;
    return await seal(deps, tx, request, { channel: 'BANK', account });
  }
  const card = await findCard(deps, tx, request.publisherId, request.bank?.bankCardId ?? null);
  const text = openedAccount(deps, card.sealedInfo.toString('utf8'), cardPlaceOf(card));
  const account = JSON.parse(text) as BankAccount;
  const chosen = await seal(deps, tx, request, { channel: 'BANK', account });
  return { ...chosen, bankCardId: card.id, accountUsableFrom: card.usableFrom };
}

/** Raises state_conflict: no retry brings its key back, nor what was moved to where it belongs, but somebody may. */
export function openedAccount(
  { providers, log }: ActivityDeps,
  sealed: string,
  place: SealedPlace,
): string {
  try {
    return providers.sealer.open(sealed, place);
  } catch (error) {
    log.warn({ err: error }, 'a payout account cannot be opened');
    throw conflict(
      'The account of this payout cannot be opened: its key is missing (DATA_KEYS), or its record was altered.',
    );
  }
}

const UNPAYABLE = {
  NETWORK_NOT_OFFERED: 'is of a network that this platform does not pay on: give an ERC20 address',
  OWN_ADDRESS: 'is an address of the token or of this platform, not of yours',
} as const;

function refuseUnpayable({ providers }: ActivityDeps, destination: Destination): void {
  const refusal = providers.payouts.refusal(destination);
  if (refusal === null) return;
  const code = refusal.toLowerCase();
  throw invalid({ field: 'account_info', code, message: UNPAYABLE[refusal] });
}

const misplaced = (field: string, message: string) =>
  invalid({ field, code: 'not_for_channel', message });

async function seal(
  deps: ActivityDeps,
  tx: Transaction,
  request: DestinationRequest,
  destination: Destination,
): Promise<ChosenDestination> {
  const destinationFingerprint = fingerprintOf(deps, destination);
  const values = [request.publisherId, destinationFingerprint];
  const sql = runner(deps.db, tx);
  const named = await readRow(sql, FIRST_NAMED, `SELECT ${FIRST_NAMED.list}`, values);
  const since = named?.at ?? deps.clock();
  const text = JSON.stringify(destination);
  return {
    sealedAccount: Buffer.from(
      deps.providers.sealer.seal(
        text,
        accountPlaceOf({ publisherId: request.publisherId, id: request.withdrawalId }),
      ),
    ),
    accountMasked: maskDestination(destination),
    destinationFingerprint,
    bankCardId: null,
    accountUsableFrom: new Date(since.getTime() + deps.providers.payouts.accountWaitMs),
  };
}

/** When this publisher ($1) first named the account ($2), by a card it still has or by a withdrawal. */
const FIRST_NAMED = select({
  at: time().orNull().of(`LEAST(
  (SELECT min(created_at) FROM withdrawals WHERE destination_fingerprint = $2 AND publisher_id = $1),
  (SELECT min(created_at) FROM bank_cards
   WHERE fingerprint = $2 AND publisher_id = $1 AND status = 'ACTIVE'))`),
});

async function findCard(
  deps: ActivityDeps,
  tx: Transaction,
  publisherId: number,
  bankCardId: number | null,
): Promise<RecordOf<'bankCards'>> {
  const which = bankCardId === null ? { isDefault: true } : { id: bankCardId };
  const card = await deps.db.models.bankCards.findOne({
    where: { ...which, publisherId, status: 'ACTIVE' },
    transaction: tx,
  });
  if (card !== null) return card;
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
