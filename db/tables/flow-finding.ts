import { FLOW_FINDINGS } from '../../domain/flow-findings.ts';
import { id, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

/** Ids only: no name, amount or account. */
export const flowFindings = table('flow_findings', {
  id: id(),
  kind: word(FLOW_FINDINGS),
  subject: text(),
  detail: text(),
  heals: whole().byDefault(),
  firstSeenAt: time().byDefault(),
  lastSeenAt: time().byDefault(),
  raisedAt: time().orNull(),
  endedAt: time().orNull(),
});
export type FlowFindingRow = Row<typeof flowFindings>;
