import { nextId } from '../../db/next-id.ts';
import type { Transaction } from 'sequelize';
import { inTransaction, runner, violatedConstraint } from '../../db/postgres.ts';
import { NEXT_VERSION } from '../../db/schema/move.ts';
import type { BankCardRow } from '../../db/tables/bank-card.ts';
import { conflict, DomainError, notFound } from '../../domain/errors.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import { tellPerson } from '../accounts/security-letters.ts';
import { recordAudit } from '../core/audit.ts';
import { moveRecord } from '../core/move-record.ts';
import type { ActivityDeps } from '../deps.ts';
import { runStep } from '../core/run-once.ts';
import { type BankAccount, lastFour, maskDestination, maskName } from './payout-accounts.ts';
import { cardPlaceOf, fingerprintOf } from './payout-destination.ts';
import { lockPublisher } from './withdrawal-moves.ts';

/** interface 4.12. */
const BANK_CARDS_MAX = 20;

interface BankCardCommand {
  publisherId: number;
  memberId?: number | null | undefined;
  bankCardId: number;
  ifMatch: readonly number[] | undefined;
  requestId: string;
}

export interface NewBankCard {
  publisherId: number;
  /** Who of the account asks, when it is not its owner; for the audit log. */
  memberId?: number | null | undefined;
  account: BankAccount;
  isDefault: boolean;
  requestId: string;
}

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
    async deleteBankCard(command: BankCardCommand): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const { publisherId } = command;
        const card = await lockCard(deps, tx, command);
        const wasDefault = card.isDefault;
        await moveRecord(deps.db, tx, 'bankCards', {
          record: card,
          state: 'status',
          action: 'archive',
          set: { isDefault: false, version: NEXT_VERSION, updatedAt: deps.clock() },
        });
        if (wasDefault) await chooseDefault(deps, tx, publisherId);
        await auditCard(deps, tx, 'bank_card.delete', command);
      });
    },

    /**
     * What is paid to when a withdrawal names no account. One that still waits may be it: such a withdrawal waits
     * with it. Raises not_found, precondition_failed, and state_conflict where the default would have no successor.
     */
    async updateBankCard(
      command: BankCardCommand,
      { isDefault }: { isDefault?: boolean | undefined },
    ): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const card = await lockCard(deps, tx, command);
        if (isDefault === undefined || isDefault === card.isDefault) return;
        if (!isDefault) throw conflict('Make another account the default instead.');
        await clearDefault(deps, tx, command.publisherId);
        await card.update(
          { isDefault, version: card.version + 1, updatedAt: deps.clock() },
          { transaction: tx, silent: true },
        );
        await auditCard(deps, tx, 'bank_card.update', command);
      });
    },
  };
}

async function addCard(
  deps: ActivityDeps,
  tx: Transaction,
  { publisherId, memberId, account, isDefault, requestId }: NewBankCard,
): Promise<{ bankCardId: number }> {
  await lockPublisher(deps, tx, publisherId);
  const kept = await deps.db.models.bankCards.count({
    where: { publisherId, status: 'ACTIVE' },
    transaction: tx,
  });
  if (kept >= BANK_CARDS_MAX) {
    throw conflict(`At most ${BANK_CARDS_MAX} accounts are kept.`, { max: BANK_CARDS_MAX });
  }
  const becomesDefault = isDefault || kept === 0;
  if (becomesDefault) await clearDefault(deps, tx, publisherId);
  const now = deps.clock();
  const bankCardId = await nextId(runner(deps.db, tx), 'bank_cards');
  const sealed = deps.providers.sealer.seal(
    JSON.stringify(account),
    cardPlaceOf({ publisherId, id: bankCardId }),
  );
  await deps.db.models.bankCards.create(
    {
      id: bankCardId,
      publisherId,
      sealedInfo: Buffer.from(sealed),
      last4: lastFour(account.iban ?? account.accountNumber ?? ''),
      country: account.country,
      currency: account.currency,
      isDefault: becomesDefault,
      usableFrom: new Date(now.getTime() + deps.providers.payouts.accountWaitMs),
      shown: shownOf(account),
      fingerprint: fingerprintOf(deps, { channel: 'BANK', account }),
      createdAt: now,
      updatedAt: now,
    },
    { transaction: tx, silent: true },
  );
  await auditCard(deps, tx, 'bank_card.add', { publisherId, memberId, bankCardId, requestId });
  return { bankCardId };
}

const shownOf = (account: BankAccount): BankCardRow['shown'] => ({
  account_holder: maskName(account.accountHolder),
  account_type: account.accountType,
  bank_name: account.bankName,
  branch_name: account.branchName,
  account: maskDestination({ channel: 'BANK', account }),
  swift_bic: account.swiftBic,
});

/** With its publisher, so that no two of them become the default at once. */
async function lockCard(
  deps: ActivityDeps,
  tx: Transaction,
  { bankCardId: id, publisherId, ifMatch }: BankCardCommand,
) {
  await lockPublisher(deps, tx, publisherId);
  const card = await deps.db.models.bankCards.findOne({
    where: { id, publisherId, status: 'ACTIVE' },
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  if (card === null) throw notFound();
  expectVersion(ifMatch, card.version);
  return card;
}

async function clearDefault(
  deps: ActivityDeps,
  tx: Transaction,
  publisherId: number,
): Promise<void> {
  await runner(deps.db, tx).query(
    `UPDATE bank_cards SET is_default = false, version = version + 1, updated_at = $2
     WHERE publisher_id = $1 AND is_default RETURNING id`,
    [publisherId, deps.clock()],
  );
}

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

const TOLD = {
  'bank_card.add': 'payee_added',
  'bank_card.delete': 'payee_removed',
  'bank_card.update': 'payee_default',
} as const;

async function auditCard(
  deps: ActivityDeps,
  tx: Transaction,
  action: keyof typeof TOLD,
  card: Pick<NewBankCard, 'publisherId' | 'memberId' | 'requestId'> & { bankCardId: number },
): Promise<void> {
  await recordAudit(deps.db, tx, {
    actor: { type: 'ACCOUNT', id: card.publisherId, memberId: card.memberId },
    action,
    subject: { type: 'bank_card', id: card.bankCardId },
    requestId: card.requestId,
  });
  // The owner is told whoever of the account did it.
  await tellPerson(deps, tx, {
    person: { kind: 'PUBLISHER', id: card.publisherId },
    event: TOLD[action],
  });
}
