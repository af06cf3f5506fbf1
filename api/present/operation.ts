import type { OperationRow } from '../../db/queries/operations.ts';

/** decisions 3: one shape for every flow of every realm. */
export function presentOperation(operation: OperationRow) {
  const { subjectType, subjectId } = operation;
  return {
    id: operation.id,
    kind: operation.kind,
    subject: subjectType === null ? null : { type: subjectType, id: subjectId },
    status: operation.status,
    phase: operation.phase,
    progress: operation.progress,
    result: operation.result,
    error: operation.error,
    timeline: operation.timeline,
    created_at: operation.createdAt.toISOString(),
    updated_at: operation.updatedAt.toISOString(),
  };
}
