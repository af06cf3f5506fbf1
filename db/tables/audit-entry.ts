import { id, json, ref, text, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const ACTOR_TYPES = ['OPERATOR', 'ACCOUNT', 'SYSTEM'] as const;

export const auditLog = table('audit_log', {
  id: id(),
  actorType: word(ACTOR_TYPES),
  actorId: ref().orNull(),
  /** Who of the account, when it was not its owner. */
  memberId: ref().orNull(),
  action: text(),
  subjectType: text(),
  subjectId: ref().orNull(),
  detail: json<Record<string, unknown>>().byDefault(),
  requestId: text().orNull(),
  createdAt: time().byDefault(),
  accountId: ref().orNull(),
});
export type AuditEntryRow = Row<typeof auditLog>;

/** One field of a change; without values where they are nobody's to keep. */
export interface FieldChange {
  field: string;
  before?: unknown;
  after?: unknown;
}
