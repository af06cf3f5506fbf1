import type * as yup from 'yup';
import type { ShownOperation } from '../../db/queries/operations.ts';
import type { OperationRow } from '../../db/tables/operation.ts';
import { OPERATION_STATUSES } from '../../domain/lifecycle/operation.ts';
import {
  anything,
  idOf,
  idOrNullOf,
  listOf,
  oneOf,
  oneOfOrNull,
  record,
  time,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { type TemporalLinks, workflowUrl } from './workflow-url.ts';

const subjectShape = record({ type: words(), id: idOf() });

const operationFields = {
  id: idOf(),
  kind: words(),
  subject: subjectShape.nullable().defined(),
  status: oneOf(OPERATION_STATUSES),
  phase: wordsOrNull(),
  /** These three differ by kind; `error` has `error`, a stable token. */
  progress: anything(),
  result: anything(),
  error: anything(),
  timeline: listOf(record({ at: time(), phase: words(), note: wordsOrNull() })),
  version: whole().min(1),
  created_at: time(),
  updated_at: time(),
};

/** interface 5.3: one shape for every flow of every realm. */
export const operationShape = record(operationFields, 'Operation');

/** What an operator sees beside it: whose it is, and where the flow runs. */
export const anyonesOperationShape = record(
  {
    ...operationFields,
    account_id: idOrNullOf(),
    account_name: wordsOrNull(),
    account_kind: oneOfOrNull(['advertiser', 'publisher']),
    workflow_id: words(),
    /** Null where the platform knows no page of Temporal's. */
    workflow_url: wordsOrNull(),
  },
  'AnyonesOperation',
);

/** What an endpoint answers that starts a flow. */
export const acceptedShape = record({ operation: operationShape }, 'Accepted');

export function presentOperation(operation: OperationRow): yup.InferType<typeof operationShape> {
  const { subjectType, subjectId } = operation;
  return {
    id: operation.id,
    kind: operation.kind,
    subject:
      subjectType === null || subjectId === null ? null : { type: subjectType, id: subjectId },
    status: operation.status,
    phase: operation.phase,
    progress: operation.progress,
    result: operation.result,
    error: operation.error,
    timeline: operation.timeline.map(({ at, phase, note }) => ({ at, phase, note: note ?? null })),
    version: operation.version,
    created_at: operation.createdAt.toISOString(),
    updated_at: operation.updatedAt.toISOString(),
  };
}

const KINDS: Readonly<Record<string, 'advertiser' | 'publisher'>> = {
  ADVERTISER: 'advertiser',
  PUBLISHER: 'publisher',
};

export const presentAnyonesOperation = (
  operation: ShownOperation,
  temporal: TemporalLinks,
): yup.InferType<typeof anyonesOperationShape> => ({
  ...presentOperation(operation),
  account_id: operation.accountId,
  account_name: operation.accountName,
  account_kind: KINDS[operation.accountKind ?? ''] ?? null,
  workflow_id: operation.workflowId,
  workflow_url: workflowUrl(temporal, operation.workflowId),
});
