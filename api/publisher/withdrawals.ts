import { Router } from 'express';
import * as yup from 'yup';
import { PLATFORM_CURRENCY } from '../../activities/ledger.ts';
import { runner } from '../../db/postgres.ts';
import { listPublisherTransactions, readPublisherBalance } from '../../db/queries/withdrawals.ts';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf } from '../http/auth.ts';
import { ok } from '../http/envelope.ts';
import { id } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { readQuery } from '../http/read.ts';
import {
  presentPublisherBalance,
  presentPublisherTransaction,
} from '../present/publisher-money.ts';

const listQuery = yup.object(pageFields);
/** `cursor` is the `next_cursor` of the page before: what came meanwhile does not shift it. */
const transactionsQuery = yup.object({ ...pageFields, cursor: id() });

/** interface 4.12: the reads; payouts are not built yet. Mounted at /api/publisher/withdrawals. */
export function withdrawalRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);

  router.get('/', (req, res) => {
    ok(res, presentPage([], 0, pageOf(readQuery(req, listQuery))));
  });

  router.get('/balance', async (req, res) => {
    const balance = await readPublisherBalance(sql, identityOf(req).id);
    ok(res, presentPublisherBalance(balance, PLATFORM_CURRENCY));
  });

  router.get('/transactions', async (req, res) => {
    const query = readQuery(req, transactionsQuery);
    const page = pageOf(query);
    const filter = { publisherId: identityOf(req).id, beforeId: query.cursor };
    const window = query.cursor === undefined ? page : { limit: page.limit, offset: 0 };
    const { rows, total } = await listPublisherTransactions(sql, filter, window);
    const last = rows.at(-1);
    ok(res, {
      ...presentPage(rows.map(presentPublisherTransaction), total, page),
      next_cursor: rows.length < page.limit || last === undefined ? null : last.id,
    });
  });

  return router;
}
