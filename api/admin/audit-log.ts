import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { type AuditEntry, listAudit } from '../../db/queries/audit-log.ts';
import { ACTOR_TYPES } from '../../db/tables/audit-entry.ts';
import type { ConsoleDeps } from '../deps.ts';
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
import { id, text } from '../http/fields.ts';
import {
  cursorFields,
  cursorPageOf,
  pageOf,
  presentCursorPage,
  windowOf,
} from '../http/pagination.ts';
import { route } from '../http/route.ts';

const listQuery = yup.object({
  ...cursorFields,
  actor_id: id(),
  action: text(100),
  subject_type: text(100),
  subject_id: id(),
});

const entryShape = record(
  {
    id: idOf(),
    actor: record({
      type: oneOf(ACTOR_TYPES),
      id: idOrNullOf(),
      /** Who of the account, when it was not its owner. */
      member_id: idOrNullOf(),
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

/** interface 5.2: who did what, newest first; nobody can change it. */
export function auditLogRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  router.get(
    '/',
    route(
      {
        summary: 'List what operators and accounts did, newest first',
        rule: 'interface 5.2',
        roles: [],
        query: listQuery,
        answer: cursorPageOf(entryShape),
      },
      async ({ query }) => {
        const page = pageOf(query);
        const { items, total } = await listAudit(runner(deps.db), {
          actorId: query.actor_id,
          action: query.action,
          subjectType: query.subject_type,
          subjectId: query.subject_id,
          before: query.cursor,
          ...windowOf(page, query.cursor),
        });
        return presentCursorPage(items.map(presentAudit), total, page);
      },
    ),
  );
  return router;
}

function presentAudit(row: AuditEntry): yup.InferType<typeof entryShape> {
  return {
    id: row.id,
    actor: {
      type: row.actorType,
      id: row.actorId,
      member_id: row.memberId,
      username: row.actorName,
    },
    action: row.action,
    subject: { type: row.subjectType, id: row.subjectId },
    detail: row.detail,
    request_id: row.requestId,
    created_at: row.createdAt.toISOString(),
  };
}
