import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { findOperation, listOperations } from '../../db/queries/operations.ts';
import { notFound } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf } from '../http/auth.ts';
import { ok } from '../http/envelope.ts';
import { text } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { readId, readQuery } from '../http/read.ts';
import { presentOperation } from '../present/operation.ts';

const listQuery = yup.object({
  ...pageFields,
  kind: text(50),
  status: yup
    .string()
    .oneOf(['queued', 'running', 'waiting_human', 'succeeded', 'failed', 'cancelled']),
});

/** decisions 3. Mounted at /api/publisher/operations. */
export function operationRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);

  router.get('/', async (req, res) => {
    const query = readQuery(req, listQuery);
    const page = pageOf(query);
    const filter = { accountId: identityOf(req).id, kind: query.kind, status: query.status };
    const { rows, total } = await listOperations(sql, filter, page);
    ok(res, presentPage(rows.map(presentOperation), total, page));
  });

  router.get('/:id', async (req, res) => {
    const key = { id: readId(req), accountId: identityOf(req).id };
    const operation = await findOperation(sql, key);
    if (operation === undefined) throw notFound();
    ok(res, presentOperation(operation));
  });

  return router;
}
