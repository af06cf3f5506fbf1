import type * as yup from 'yup';
import type { AuditEntry } from '../../db/queries/audit-log.ts';
import { ACTOR_TYPES } from '../../db/tables/audit-entry.ts';
import {
  idOf,
  idOrNullOf,
  mapOf,
  oneOf,
  record,
  time,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

export const auditEntryShape = record(
  {
    id: idOf(),
    actor: record({
      type: oneOf(ACTOR_TYPES),
      id: idOrNullOf(),
      /** Who of the account, when it was not its owner. */
      member_id: idOrNullOf(),
      /** Of the member; null is an owner, an operator or the system. */
      member_name: wordsOrNull(),
      member_email: wordsOrNull(),
      username: wordsOrNull(),
    }),
    action: words(),
    subject: record({ type: words(), id: idOrNullOf() }),
    detail: mapOf(),
    request_id: wordsOrNull(),
    created_at: time(),
  },
  'AuditEntry',
);

export function presentAuditEntry(row: AuditEntry): yup.InferType<typeof auditEntryShape> {
  return {
    id: row.id,
    actor: {
      type: row.actorType,
      id: row.actorId,
      member_id: row.memberId,
      member_name: row.memberName,
      member_email: row.memberEmail,
      username: row.actorName,
    },
    action: row.action,
    subject: { type: row.subjectType, id: row.subjectId },
    detail: row.detail,
    request_id: row.requestId,
    created_at: row.createdAt.toISOString(),
  };
}
