import type { Transaction } from 'sequelize';
import { runner, violatedConstraint } from '../../db/postgres.ts';
import { moveRow, NOW } from '../../db/schema/move.ts';
import { columnsOf, readRow, select } from '../../db/schema/selection.ts';
import { type ApprovalRow, approvals } from '../../db/tables/approval.ts';
import { isQueued, type QueuedKind } from '../../domain/approvals.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import { grantRecovery } from '../accounts/factor-recoveries.ts';
import { giveRole, restoreOperator } from '../accounts/operator-access.ts';
import { approve } from '../core/approvals.ts';
import { recordAudit } from '../core/audit.ts';
import { runStep } from '../core/run-once.ts';
import { lockRequest } from '../deposits/balance-refund-parts.ts';
import { beginReturning, keepBalance } from '../deposits/balance-refunds.ts';
import { keepReceipt, lockWithOrder, takeReceiptBack } from '../deposits/receipt-take-back.ts';
import { applySetting } from '../core/settings.ts';
import { explain, lockUnknownLine } from '../deposits/bank-movements.ts';
import type { ActivityDeps } from '../deps.ts';
import { tellShare } from '../publisher/share-notices.ts';
import { lockNamedFile, takeFileBack } from '../withdrawals/payout-file-take-back.ts';
import { takeBack } from '../withdrawals/payouts.ts';
import { lockWithdrawal } from '../withdrawals/withdrawal-moves.ts';

export interface ApprovalCommand {
  approvalId: number;
  operatorId: number;
  requestId: string;
}

export function createApprovalActivities(deps: ActivityDeps) {
  return {
    /**
     * Approves and does it, in one transaction. Raises not_found, and state_conflict for the maker himself
     * (or who counts as him), for what was decided before or has changed since, and for one that the task
     * of a flow decides.
     */
    async approveApproval(command: ApprovalCommand): Promise<void> {
      await runStep(deps.db, 'approval.approve', async (tx) => {
        const { kind } = await readQueued(deps, tx, command.approvalId);
        // The subject is locked before its approval, as by whoever asks for one.
        const apply = APPLIES[kind];
        await apply(deps, tx, command);
        await audit(deps, tx, { ...command, action: 'approval.approve' });
      });
    },

    /** Nothing is done; whoever asked may ask again. By anybody but them. Raises as approveApproval. */
    async refuseApproval(command: ApprovalCommand & { note: string }): Promise<void> {
      await runStep(deps.db, 'approval.refuse', async (tx) => {
        const { kind, subject, makerId } = await readQueued(deps, tx, command.approvalId);
        if (makerId === command.operatorId) throw conflict('Withdraw what you have asked for.');
        const waiting = HELD[kind];
        await waiting?.lock(deps, tx, subject);
        await moveRow(runner(deps.db, tx), approvals, {
          state: 'state',
          action: 'refuse',
          where: { id: command.approvalId },
          set: { checkerId: command.operatorId, note: command.note, decidedAt: NOW },
        });
        await waiting?.release(deps, tx, subject, command);
        await audit(deps, tx, { ...command, action: 'approval.refuse' });
      });
    },

    /** Whoever asked asks no more. Raises not_found, also for another's, and state_conflict. */
    async withdrawApproval(command: ApprovalCommand): Promise<void> {
      await runStep(deps.db, 'approval.withdraw', async (tx) => {
        const { kind, subject } = await readQueued(deps, tx, command.approvalId);
        const waiting = HELD[kind];
        await waiting?.lock(deps, tx, subject);
        await moveRow(runner(deps.db, tx), approvals, {
          state: 'state',
          action: 'void',
          where: { id: command.approvalId, makerId: command.operatorId },
          set: { decidedAt: NOW },
        });
        await waiting?.release(deps, tx, subject, command);
        await audit(deps, tx, { ...command, action: 'approval.withdraw' });
      });
    },
  };
}

type Apply = (deps: ActivityDeps, tx: Transaction, command: ApprovalCommand) => Promise<void>;

const APPLIES: Readonly<Record<QueuedKind, Apply>> = {
  withdrawal_return: async (deps, tx, { approvalId, operatorId, requestId }) => {
    const { subject } = await readQueued(deps, tx, approvalId);
    const withdrawalId = Number(subject);
    const withdrawal = await lockWithdrawal(deps, tx, { withdrawalId });
    const { ask } = await approve(deps, tx, { id: approvalId, checkerId: operatorId });
    const reference = String(ask['reference']);
    await takeBack(deps, tx, withdrawal, { withdrawalId, reference, operatorId, requestId });
  },
  setting: async (deps, tx, { approvalId, operatorId, requestId }) => {
    const approval = await approve(deps, tx, { id: approvalId, checkerId: operatorId });
    await applySetting(deps, tx, approval, requestId);
  },
  factor_recovery: async (deps, tx, command) => await grantRecovery(deps, tx, command),
  bank_explanation: async (deps, tx, { approvalId, operatorId, requestId }) => {
    const { subject } = await readQueued(deps, tx, approvalId);
    const line = await lockUnknownLine(deps, tx, Number(subject));
    const { ask, makerId } = await approve(deps, tx, { id: approvalId, checkerId: operatorId });
    await explain(deps, tx, line, { note: String(ask['note']), operatorId: makerId, requestId });
  },
  balance_refund: async (deps, tx, { approvalId, operatorId, requestId }) => {
    const { subject } = await readQueued(deps, tx, approvalId);
    const request = await lockRequest(deps, tx, Number(subject));
    await approve(deps, tx, { id: approvalId, checkerId: operatorId });
    await beginReturning(deps, tx, request, { operatorId, requestId });
  },
  receipt_take_back: async (deps, tx, { approvalId, operatorId, requestId }) => {
    const { subject } = await readQueued(deps, tx, approvalId);
    const held = await lockWithOrder(deps, tx, Number(subject));
    await approve(deps, tx, { id: approvalId, checkerId: operatorId });
    await takeReceiptBack(deps, tx, held, { id: approvalId, operatorId, requestId });
  },
  payout_file_take_back: async (deps, tx, { approvalId, operatorId, requestId }) => {
    const { subject } = await readQueued(deps, tx, approvalId);
    const file = await lockNamedFile(deps, tx, subject);
    await approve(deps, tx, { id: approvalId, checkerId: operatorId });
    await takeFileBack(deps, tx, { ...file, approvalId, operatorId, requestId });
  },
  // The database vouches as it approves.
  operator: async (deps, tx, { approvalId, operatorId }) => {
    await approve(deps, tx, { id: approvalId, checkerId: operatorId });
  },
  operator_restore: async (deps, tx, command) => {
    const { subject } = await readQueued(deps, tx, command.approvalId);
    await restoreOperator(deps, tx, { ...command, id: Number(subject) });
  },
  operator_role: async (deps, tx, command) => {
    const { subject } = await readQueued(deps, tx, command.approvalId);
    await giveRole(deps, tx, { ...command, id: Number(subject) });
  },
  // The database puts the term in force between its neighbours.
  money_term: async (deps, tx, { approvalId, operatorId }) => {
    try {
      const { subject } = await approve(deps, tx, { id: approvalId, checkerId: operatorId });
      await tellShare(deps, tx, Number(subject));
    } catch (error) {
      if (violatedConstraint(error) !== 'money_terms_to_come') throw error;
      throw conflict('Its day has come: propose it for a later one.');
    }
  },
};

interface Held {
  /** The subject before its approval, as by whoever asked. */
  lock: (deps: ActivityDeps, tx: Transaction, subject: string) => Promise<unknown>;
  release: (
    deps: ActivityDeps,
    tx: Transaction,
    subject: string,
    command: ApprovalCommand,
  ) => Promise<void>;
}

/** What is held from when it is asked for, and is let go when nobody wants it; of the other kinds nothing is. */
const HELD: Partial<Record<QueuedKind, Held>> = {
  balance_refund: {
    lock: async (deps, tx, subject) => await lockRequest(deps, tx, Number(subject)),
    release: async (deps, tx, subject, { operatorId }) => {
      await keepBalance(deps, tx, Number(subject), operatorId);
    },
  },
  receipt_take_back: {
    lock: async (deps, tx, subject) => await lockWithOrder(deps, tx, Number(subject)),
    release: async (deps, tx, subject, { approvalId }) => {
      await keepReceipt(deps, tx, Number(subject), approvalId);
    },
  },
};

const ROW = select(columnsOf(approvals, 'a'));

async function readQueued(
  deps: ActivityDeps,
  tx: Transaction,
  approvalId: number,
): Promise<ApprovalRow & { kind: QueuedKind }> {
  const row = await readRow(
    runner(deps.db, tx),
    ROW,
    `SELECT ${ROW.list} FROM approvals a WHERE id = $1`,
    [approvalId],
  );
  if (row === undefined) throw notFound();
  const { kind } = row;
  if (!isQueued(kind)) throw conflict('The task of its flow decides this.');
  return { ...row, kind };
}

async function audit(
  deps: ActivityDeps,
  tx: Transaction,
  {
    approvalId,
    operatorId,
    requestId,
    action,
    note,
  }: ApprovalCommand & { action: string; note?: string },
): Promise<void> {
  const { kind, subject, contentHash, accountId } = await readQueued(deps, tx, approvalId);
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: operatorId },
    action,
    subject: { type: 'approval', id: approvalId },
    detail: { kind, subject, content_hash: contentHash, ...(note === undefined ? {} : { note }) },
    requestId,
    accountId: accountId ?? undefined,
  });
}
