import { createHash } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { notFound } from '../../domain/errors.ts';
import { withdrawalReturned } from '../../domain/ledger/payout-postings.ts';
import type { PayoutChannel } from '../../domain/lifecycle/withdrawal.ts';
import { formatAmount } from '../../domain/money.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';
import { postEntries } from '../core/ledger.ts';
import {
  askAbout,
  decimalText,
  fail,
  lockPayout,
  lose,
  openDestination,
  PAYOUT_FILE_SEAL,
  setPayout,
  settle,
} from './payout-outcome.ts';
import type { PayoutFinding, PayoutOrder, PayoutOutcome } from '../providers/payout-port.ts';
import { runStep } from '../core/run-once.ts';
import { lockWithdrawal, moveWithdrawal } from './withdrawal-moves.ts';

/** A call that lasts longer has an unknown outcome; below the step's own timeout, so none outlives it. */
const SEND_TIMEOUT_MS = 20_000;
/** An order that provably never left is given up after these tries, and the money goes back. */
const SEND_TRIES_MAX = 6;

type Key = { withdrawalId: number };

/**
 * The order to the provider and what became of it. Sending is the one step that is not a database
 * transaction: SENDING is committed before the call, and whatever is not a plain answer is UNKNOWN.
 */
export function createPayoutActivities(deps: ActivityDeps) {
  return {
    /** Run at most once by its flow. Answers the state that was recorded. */
    async sendPayout(key: Key): Promise<string> {
      const order = await takeOrder(deps, key);
      if (order === null) return 'TAKEN_BEFORE';
      const outcome = await send(deps, order);
      return await recordOutcome(deps, key, outcome);
    },

    /** The step that sent it ended without a record: nobody knows. Harmless twice. */
    async markPayoutLost(key: Key): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const { withdrawal, payout } = await lockPayout(deps, tx, key.withdrawalId);
        if (payout.state === 'SENDING') await lose(deps, tx, withdrawal, 'SENDER_DIED');
      });
    },

    /** Asks the provider; `looks` is how often it was asked before, so that a repeat counts once. */
    async lookUpPayout(key: Key & { looks: number }): Promise<string> {
      const finding = await find(deps, key);
      return await inTransaction(deps.db, async (tx) => {
        const { withdrawal, payout } = await lockPayout(deps, tx, key.withdrawalId);
        const isOpen = payout.state === 'ACCEPTED' || payout.state === 'UNKNOWN';
        if (!isOpen || payout.looks !== key.looks) return payout.state;
        switch (finding.state) {
          case 'SETTLED':
            await settle(deps, tx, withdrawal, {
              reference: finding.reference,
              outcome: 'FOUND_SETTLED',
            });
            break;
          case 'FAILED':
            await fail(deps, tx, withdrawal, finding.reason);
            break;
          case 'PENDING':
          case 'NOT_FOUND':
            await setPayout(deps, tx, withdrawal.id, {
              state: finding.state === 'PENDING' ? 'ACCEPTED' : payout.state,
              outcome: finding.state,
              looks: payout.looks + 1,
            });
        }
        return finding.state;
      });
    },

    /**
     * The stored bytes of a bank file, the same each time; who took them is in the audit log. Raises
     * not_found while there is none.
     */
    async takePayoutFile(
      request: Key & { operatorId: number; requestId: string },
    ): Promise<{ name: string; text: string }> {
      return await inTransaction(deps.db, async (tx) => await takeFile(deps, tx, request));
    },

    /**
     * The bank sent the money back days later: it is the publisher's again, the fee stays earned.
     * Raises not_found, and state_conflict unless it counts as paid; so a repeat moves nothing.
     */
    async returnWithdrawal(
      command: Key & { reference: string; operatorId: number; requestId: string },
    ): Promise<void> {
      await runStep(deps.db, 'withdrawal.return', async (tx) => {
        const withdrawal = await lockWithdrawal(deps, tx, command);
        await moveWithdrawal(deps, tx, withdrawal, {
          action: 'return',
          reasons: [{ code: 'RETURNED_BY_BANK', note: command.reference }],
        });
        await postEntries(deps.db, tx, withdrawalReturned(withdrawal));
        await recordAudit(deps.db, tx, {
          actor: { type: 'OPERATOR', id: command.operatorId },
          action: 'withdrawal.return',
          subject: { type: 'withdrawal', id: withdrawal.id },
          detail: {
            reference: command.reference,
            amount: formatAmount(withdrawal.arrivalNanos),
          },
          requestId: command.requestId,
        });
      });
    },

    /** Opens the operators' question, unless it is open or the withdrawal has ended. */
    async askAboutPayout(key: Key): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const locked = await lockPayout(deps, tx, key.withdrawalId);
        const { status } = locked.withdrawal;
        if (status !== 'PROCESSING' && status !== 'UNKNOWN') return;
        await askAbout(deps, tx, locked);
      });
    },
  };
}

async function takeFile(
  deps: ActivityDeps,
  tx: Transaction,
  request: Key & { operatorId: number; requestId: string },
): Promise<{ name: string; text: string }> {
  const { rows } = await runner(deps.db, tx).query<{
    sealed_file: Buffer;
    file_name: string;
    file_sha256: string;
  }>(
    `SELECT sealed_file, file_name, file_sha256 FROM payouts
     WHERE withdrawal_id = $1 AND sealed_file IS NOT NULL`,
    [request.withdrawalId],
  );
  const [file] = rows;
  if (file === undefined) throw notFound();
  const text = deps.providers.sealer.open(file.sealed_file.toString('utf8'), PAYOUT_FILE_SEAL);
  if (createHash('sha256').update(text).digest('hex') !== file.file_sha256) {
    throw new Error(
      `the file of withdrawal ${request.withdrawalId} is not the one that was written`,
    );
  }
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: request.operatorId },
    action: 'payout_file.download',
    subject: { type: 'withdrawal', id: request.withdrawalId },
    detail: { file: file.file_name, sha256: file.file_sha256 },
    requestId: request.requestId,
  });
  return { name: file.file_name, text };
}

type Order = PayoutOrder & { channel: PayoutChannel };

async function takeOrder(deps: ActivityDeps, key: Key): Promise<Order | null> {
  return await inTransaction(deps.db, async (tx) => {
    const { withdrawal, payout } = await lockPayout(deps, tx, key.withdrawalId);
    if (payout.state !== 'READY' || withdrawal.status !== 'PROCESSING') return null;
    await setPayout(deps, tx, withdrawal.id, {
      state: 'SENDING',
      outcome: 'SENDING',
      tries: payout.tries + 1,
    });
    return {
      channel: withdrawal.channel,
      key: payout.externalRef,
      amount: decimalText(withdrawal.arrivalNanos, withdrawal.channel === 'USDT' ? 6 : 2),
      currency: withdrawal.currency,
      destination: openDestination(deps, withdrawal),
    };
  });
}

async function send(deps: ActivityDeps, { channel, ...order }: Order): Promise<PayoutOutcome> {
  const provider = deps.providers.payouts.provider(channel);
  if (provider === undefined) return { state: 'NOT_SENT', reason: 'NO_PROVIDER' };
  try {
    return await within(SEND_TIMEOUT_MS, provider.send(order));
  } catch (error) {
    deps.log.warn({ err: error, payout: order.key }, 'payout sent with unknown outcome');
    return { state: 'UNKNOWN', reason: 'NO_ANSWER' };
  }
}

async function within<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${milliseconds} ms`));
    }, milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A provider that cannot be asked has not said that it does not know the payment. */
async function find(deps: ActivityDeps, { withdrawalId }: Key): Promise<PayoutFinding> {
  const { channel, externalRef } = await inTransaction(deps.db, async (tx) => {
    const { withdrawal, payout } = await lockPayout(deps, tx, withdrawalId);
    return { channel: withdrawal.channel, externalRef: payout.externalRef };
  });
  const provider = deps.providers.payouts.provider(channel);
  if (provider === undefined) return { state: 'NOT_FOUND' };
  try {
    return await within(SEND_TIMEOUT_MS, provider.find(externalRef));
  } catch (error) {
    deps.log.warn({ err: error, payout: externalRef }, 'payout could not be looked up');
    return { state: 'NOT_FOUND' };
  }
}

async function recordOutcome(
  deps: ActivityDeps,
  { withdrawalId }: Key,
  outcome: PayoutOutcome,
): Promise<string> {
  return await inTransaction(deps.db, async (tx) => {
    const { withdrawal, payout } = await lockPayout(deps, tx, withdrawalId);
    // An answer that comes after the order counted as lost is still an answer, except that it did
    // not leave: another process may have sent it since.
    const mayApply =
      payout.state === 'SENDING' || (payout.state === 'UNKNOWN' && outcome.state !== 'NOT_SENT');
    if (!mayApply) {
      deps.log.error(
        { withdrawal_id: withdrawalId, state: payout.state, outcome: outcome.state },
        'payout answered after it had ended',
      );
      return payout.state;
    }
    switch (outcome.state) {
      case 'SETTLED':
        await settle(deps, tx, withdrawal, { reference: outcome.reference, outcome: 'SETTLED' });
        break;
      case 'REJECTED':
        await fail(deps, tx, withdrawal, outcome.reason);
        break;
      case 'ACCEPTED':
        await setPayout(deps, tx, withdrawalId, { state: 'ACCEPTED', outcome: outcome.reference });
        break;
      case 'NOT_SENT':
        if (payout.tries >= SEND_TRIES_MAX) await fail(deps, tx, withdrawal, 'NOT_SENT');
        else await setPayout(deps, tx, withdrawalId, { state: 'READY', outcome: outcome.reason });
        break;
      case 'UNKNOWN':
        await lose(deps, tx, withdrawal, outcome.reason);
    }
    return outcome.state;
  });
}
