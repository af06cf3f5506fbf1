import type { ApprovalKind } from '../../domain/approvals.ts';
import { approvalLifecycle } from '../../domain/lifecycle/approval.ts';
import { flag, id, json, nanos, ref, state, text, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const approvals = table('approvals', {
  id: id(),
  kind: text<ApprovalKind>(),
  subject: text(),
  ask: json<Record<string, unknown>>().byDefault(),
  content: json<Record<string, unknown>>().byDefault(),
  contentHash: text().byDefault(),
  accountId: ref().orNull(),
  amountNanos: nanos().byDefault(),
  state: state(approvalLifecycle).byDefault(),
  alone: flag().byDefault(),
  makerId: ref().orNull(),
  checkerId: ref().orNull(),
  note: text().orNull(),
  batchId: ref().orNull(),
  createdAt: time().byDefault(),
  decidedAt: time().orNull(),
});
export type ApprovalRow = Row<typeof approvals>;
