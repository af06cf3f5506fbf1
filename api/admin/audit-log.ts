import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listAudit } from '../../db/queries/audit-log.ts';
import type { ConsoleDeps } from '../deps.ts';
import { id, text } from '../http/fields.ts';
import {
  cursorFields,
  cursorPageOf,
  pageOf,
  presentCursorPage,
  windowOf,
} from '../http/pagination.ts';
import { route } from '../http/route.ts';
import { auditEntryShape, presentAuditEntry } from '../present/audit-entry.ts';

const listQuery = yup.object({
  ...cursorFields,
  actor_id: id(),
  action: text(100),
  subject_type: text(100),
  subject_id: id(),
});

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
        answer: cursorPageOf(auditEntryShape),
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
        return presentCursorPage(items.map(presentAuditEntry), total, page);
      },
    ),
  );
  return router;
}
