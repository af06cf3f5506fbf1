import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { type AuditRow, listAudit } from '../../db/queries/audit-log.ts';
import type { ConsoleDeps } from '../deps.ts';
import { requireRole } from '../http/auth.ts';
import { ok } from '../http/envelope.ts';
import { id, text } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { readQuery } from '../http/read.ts';

const listSchema = yup.object({
  ...pageFields,
  actor_id: id(),
  action: text(100),
  subject_type: text(100),
  subject_id: id(),
  /** Rows older than this one; `next_cursor` of the page before. */
  cursor: id(),
});

export function auditLogRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  router.get('/', requireRole('ADMIN'), async (req, res) => {
    const query = readQuery(req, listSchema);
    const page = pageOf(query);
    const { items, total } = await listAudit(runner(deps.db), {
      actorId: query.actor_id,
      action: query.action,
      subjectType: query.subject_type,
      subjectId: query.subject_id,
      before: query.cursor,
      limit: page.limit,
      offset: page.offset,
    });
    ok(res, {
      ...presentPage(items.map(presentAudit), total, page),
      next_cursor: items.length < page.limit ? null : (items.at(-1)?.id ?? null),
    });
  });
  return router;
}

function presentAudit(row: AuditRow) {
  return {
    id: row.id,
    actor: { type: row.actorType, id: row.actorId, username: row.actorName },
    action: row.action,
    subject: { type: row.subjectType, id: row.subjectId },
    detail: row.detail,
    request_id: row.requestId,
    created_at: row.createdAt.toISOString(),
  };
}
