import type { Transaction } from 'sequelize';
import type { RecordOf } from '../../db/schema/models.ts';
import { NOW } from '../../db/schema/move.ts';
import { notFound } from '../../domain/errors.ts';
import type { ReversalScope } from '../../domain/reversal.ts';
import { reversalWorkflowId } from '../../workflows/contracts/reversal.ts';
import { recordAudit } from '../core/audit.ts';
import { moveRecord } from '../core/move-record.ts';
import { reportOperation } from '../core/operations.ts';
import type { ActivityDeps } from '../deps.ts';

export type LockedReversal = RecordOf<'reversals'>;

export async function lockReversal(
  deps: ActivityDeps,
  tx: Transaction,
  reversalId: number,
): Promise<LockedReversal> {
  const lock = { transaction: tx, lock: tx.LOCK.UPDATE };
  const found = await deps.db.models.reversals.findByPk(reversalId, lock);
  if (found === null) throw notFound();
  return found;
}

/** It ends without anything taken back: its maker's word, or the second person's. */
export async function endReversal(
  deps: ActivityDeps,
  tx: Transaction,
  reversal: LockedReversal,
  { action, checkerId }: { action: 'cancel' | 'reject'; checkerId: number | null },
): Promise<void> {
  await moveRecord(deps.db, tx, 'reversals', {
    record: reversal,
    state: 'status',
    action,
    set: { checkerId, decidedAt: NOW, endedAt: NOW },
  });
  const report =
    action === 'cancel'
      ? ({ status: 'cancelled', phase: 'cancelled' } as const)
      : ({ status: 'failed', phase: 'rejected', error: { error: 'rejected' } } as const);
  await reportOperation(deps, tx, reversalWorkflowId({ reversalId: reversal.id }), report);
}

export async function auditReversal(
  deps: ActivityDeps,
  tx: Transaction,
  entry: {
    reversalId: number;
    operatorId: number;
    action: string;
    requestId?: string;
    source?: string;
    scope?: ReversalScope;
    note?: string;
    contentHash?: string | null;
  },
): Promise<void> {
  const { reversalId, operatorId, action, requestId, source, scope, note, contentHash } = entry;
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: operatorId },
    action,
    subject: { type: 'reversal', id: reversalId },
    detail: {
      ...(source === undefined ? {} : { source, scope, note }),
      ...(contentHash === undefined ? {} : { content_hash: contentHash }),
    },
    requestId,
  });
}
