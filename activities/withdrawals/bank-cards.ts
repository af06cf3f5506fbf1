import type { Transaction } from 'sequelize';
import { inTransaction, runner, violatedConstraint } from '../../db/postgres.ts';
import { conflict, DomainError, notFound } from '../../domain/errors.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import { NEW_ACCOUNT_WAIT_MS } from '../../domain/lifecycle/withdrawal.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';
import {
  type BankAccount,
  canonicalDestination,
  type Destination,
  lastFour,
  maskDestination,
  maskName,
} from './payout-accounts.ts';
import { runStep } from '../core/run-once.ts';

/** interface 4.12. */
const BANK_CARDS_MAX = 20;

export interface NewBankCard {
  publisherId: number;
  account: BankAccount;
  isDefault: boolean;
  requestId: string;
}

/** What the list shows; the rest of the account lies sealed. */
interface ShownAccount {
  account_holder: string;
  account_type: BankAccount['accountType'];
  bank_name: string | null;
  branch_name: string | null;
  account: string;
  swift_bic: string | null;
}

/** Where sealed accounts live; part of their seal. */
export const BANK_CARD_SEAL = 'bank_cards.sealed_info';
/** One place for cards and withdrawals, so that the same account is found in both. */
const DESTINATION_INDEX = 'payout.destination';

export const fingerprintOf = (deps: ActivityDeps, destination: Destination): string =>
  deps.providers.blindIndex(canonicalDestination(destination), DESTINATION_INDEX);

export function createBankCardActivities(deps: ActivityDeps) {
  return {
    /**
     * Keeps an account that money may be sent to, a day from now. The first one is the default.
     * Raises already_claimed for the same account twice and state_conflict at 20 of them.
     */
    async addBankCard(card: NewBankCard): Promise<{ bankCardId: number }> {
      try {
        return await runStep(deps.db, 'bank_card.add', async (tx) => await addCard(deps, tx, card));
      } catch (error) {
        if (violatedConstraint(error) === 'bank_cards_once') {
          throw new DomainError('already_claimed', { message: 'This account is kept already.' });
        }
        throw error;
      }
    },

    /**
     * Withdrawals under way keep their own copy of the account. Raises not_found, and
     * precondition_failed when the card changed since the caller read it.
     */
    async deleteBankCard(command: {
      publisherId: number;
      bankCardId: number;
      ifMatch: readonly number[] | undefined;
      requestId: string;
    }): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        await lockPublisher(deps, tx, command.publisherId);
        const sql = runner(deps.db, tx);
        const { rows } = await sql.query<{ version: number; is_default: boolean }>(
          `SELECT version, is_default FROM bank_cards
           WHERE id = $1 AND publisher_id = $2 AND status = 'ACTIVE' FOR UPDATE`,
          [command.bankCardId, command.publisherId],
        );
        const [card] = rows;
        if (card === undefined) throw notFound();
        expectVersion(command.ifMatch, card.version);
        await sql.query(
          `UPDATE bank_cards SET status = 'ARCHIVED', is_default = false, version = version + 1,
             updated_at = $2 WHERE id = $1 RETURNING id`,
          [command.bankCardId, deps.clock()],
        );
        if (card.is_default) await chooseDefault(deps, tx, command.publisherId);
        await auditCard(deps, tx, 'bank_card.delete', command);
      });
    },
  };
}

/** Adds, deletes and withdrawals of one publisher stand in a line behind this lock. */
export async function lockPublisher(
  deps: ActivityDeps,
  tx: Transaction,
  publisherId: number,
): Promise<{ status: string; kycStatus: string }> {
  const { rows } = await runner(deps.db, tx).query<{ status: string; kyc_status: string }>(
    `SELECT status, kyc_status FROM accounts WHERE id = $1 AND kind = 'PUBLISHER' FOR NO KEY UPDATE`,
    [publisherId],
  );
  const [row] = rows;
  if (row === undefined) throw notFound();
  return { status: row.status, kycStatus: row.kyc_status };
}

async function addCard(
  deps: ActivityDeps,
  tx: Transaction,
  { publisherId, account, isDefault, requestId }: NewBankCard,
): Promise<{ bankCardId: number }> {
  await lockPublisher(deps, tx, publisherId);
  const sql = runner(deps.db, tx);
  const { rows: counted } = await sql.query<{ kept: string }>(
    `SELECT count(*) AS kept FROM bank_cards WHERE publisher_id = $1 AND status = 'ACTIVE'`,
    [publisherId],
  );
  const kept = Number(counted[0]?.kept ?? 0);
  if (kept >= BANK_CARDS_MAX) {
    throw conflict(`At most ${BANK_CARDS_MAX} accounts are kept.`, { max: BANK_CARDS_MAX });
  }
  const becomesDefault = isDefault || kept === 0;
  if (becomesDefault) {
    await sql.query(
      `UPDATE bank_cards SET is_default = false, version = version + 1, updated_at = $2
       WHERE publisher_id = $1 AND is_default RETURNING id`,
      [publisherId, deps.clock()],
    );
  }
  const now = deps.clock();
  const destination: Destination = { channel: 'BANK', account };
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO bank_cards (publisher_id, sealed_info, last4, country, currency, is_default,
       usable_from, shown, fingerprint, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) RETURNING id`,
    [
      publisherId,
      Buffer.from(deps.providers.sealer.seal(JSON.stringify(account), BANK_CARD_SEAL)),
      lastFour(account.iban ?? account.accountNumber ?? ''),
      account.country,
      account.currency,
      becomesDefault,
      new Date(now.getTime() + NEW_ACCOUNT_WAIT_MS),
      JSON.stringify(shownOf(account)),
      fingerprintOf(deps, destination),
      now,
    ],
  );
  const bankCardId = Number(rows[0]?.id);
  await auditCard(deps, tx, 'bank_card.add', { publisherId, bankCardId, requestId });
  return { bankCardId };
}

const shownOf = (account: BankAccount): ShownAccount => ({
  account_holder: maskName(account.accountHolder),
  account_type: account.accountType,
  bank_name: account.bankName,
  branch_name: account.branchName,
  account: maskDestination({ channel: 'BANK', account }),
  swift_bic: account.swiftBic,
});

/** The oldest of the others takes over: it is the one most likely usable. */
async function chooseDefault(
  deps: ActivityDeps,
  tx: Transaction,
  publisherId: number,
): Promise<void> {
  await runner(deps.db, tx).query(
    `UPDATE bank_cards SET is_default = true, version = version + 1, updated_at = $2
     WHERE id = (SELECT id FROM bank_cards WHERE publisher_id = $1 AND status = 'ACTIVE'
                 ORDER BY usable_from, id LIMIT 1) RETURNING id`,
    [publisherId, deps.clock()],
  );
}

async function auditCard(
  deps: ActivityDeps,
  tx: Transaction,
  action: string,
  card: { publisherId: number; bankCardId: number; requestId: string },
): Promise<void> {
  await recordAudit(deps.db, tx, {
    actor: { type: 'ACCOUNT', id: card.publisherId },
    action,
    subject: { type: 'bank_card', id: card.bankCardId },
    requestId: card.requestId,
  });
}
