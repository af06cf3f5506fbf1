import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listLedgerAccounts, listLedgerTransfers } from '../../db/queries/ledger.ts';
import type { ConsoleDeps } from '../deps.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import { id, text } from '../http/fields.ts';
import {
  cursorFields,
  cursorPageOf,
  likePattern,
  pageFields,
  pageOf,
  presentCursorPage,
  presentPage,
  windowOf,
} from '../http/pagination.ts';
import { route } from '../http/route.ts';
import {
  ledgerAccountShape,
  ledgerTransferShape,
  presentLedgerAccount,
  presentLedgerTransfer,
} from '../present/ledger.ts';

const accountQuery = yup.object({
  ...pageFields,
  keyword: text(),
  owner_type: yup.string().oneOf(['ADVERTISER', 'PUBLISHER']),
  owner_id: id(),
});
const transferQuery = yup.object({
  ...cursorFields,
  account_id: id(),
  batch_id: id(),
  type: text(32),
});

const rule = 'interface 5.2';
const roles = ['FINANCE'] as const;

/** interface 5.2: reads of the books, for FINANCE. Nothing here writes. */
export function ledgerRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);

  router.get(
    '/accounts',
    route(
      {
        summary: 'List ledger accounts by code',
        rule,
        roles,
        query: accountQuery,
        answer: pageOfItems(ledgerAccountShape),
      },
      async ({ query }) => {
        const page = pageOf(query);
        const { items, total } = await listLedgerAccounts(sql, {
          pattern: query.keyword === undefined ? undefined : likePattern(query.keyword),
          ownerType: query.owner_type,
          ownerId: query.owner_id,
          limit: page.limit,
          offset: page.offset,
        });
        return presentPage(items.map(presentLedgerAccount), total, page);
      },
    ),
  );

  router.get(
    '/transfers',
    route(
      {
        summary: 'List ledger transfers, newest first',
        rule,
        roles,
        query: transferQuery,
        answer: cursorPageOf(ledgerTransferShape),
      },
      async ({ query }) => {
        const page = pageOf(query);
        const { items, total } = await listLedgerTransfers(sql, {
          accountId: query.account_id,
          batchId: query.batch_id,
          type: query.type,
          beforeId: query.cursor,
          ...windowOf(page, query.cursor),
        });
        return presentCursorPage(items.map(presentLedgerTransfer), total, page);
      },
    ),
  );

  return router;
}
