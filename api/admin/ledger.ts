import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import {
  type LedgerAccountRow,
  type LedgerTransferRow,
  listLedgerAccounts,
  listLedgerTransfers,
} from '../../db/queries/ledger.ts';
import { presentAmount } from '../../domain/money.ts';
import type { ConsoleDeps } from '../deps.ts';
import { requireRole } from '../http/auth.ts';
import { ok } from '../http/envelope.ts';
import { id, text } from '../http/fields.ts';
import { likePattern, pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { readQuery } from '../http/read.ts';

const accountSchema = yup.object({
  ...pageFields,
  keyword: text(),
  owner_type: yup.string().oneOf(['ADVERTISER', 'PUBLISHER']),
  owner_id: id(),
});
const transferSchema = yup.object({
  ...pageFields,
  cursor: id(),
  account_id: id(),
  batch_id: id(),
  type: text(32),
});

/** decisions 3: reads of the books, for FINANCE. Nothing here writes. */
export function ledgerRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);
  router.use(requireRole('FINANCE'));

  router.get('/accounts', async (req, res) => {
    const query = readQuery(req, accountSchema);
    const page = pageOf(query);
    const { items, total } = await listLedgerAccounts(sql, {
      pattern: query.keyword === undefined ? undefined : likePattern(query.keyword),
      ownerType: query.owner_type,
      ownerId: query.owner_id,
      limit: page.limit,
      offset: page.offset,
    });
    ok(res, presentPage(items.map(presentAccount), total, page));
  });

  router.get('/transfers', async (req, res) => {
    const query = readQuery(req, transferSchema);
    const page = pageOf(query);
    const { items, total } = await listLedgerTransfers(sql, {
      accountId: query.account_id,
      batchId: query.batch_id,
      type: query.type,
      beforeId: query.cursor,
      limit: page.limit,
      offset: query.cursor === undefined ? page.offset : 0,
    });
    const last = items.at(-1);
    ok(res, {
      ...presentPage(items.map(presentTransfer), total, page),
      next_cursor: items.length < page.limit || last === undefined ? null : last.id,
    });
  });

  return router;
}

/** The exact nanos stand beside the rounded wire amount, so that sums can be checked to the last one. */
const presentAccount = (account: LedgerAccountRow) => ({
  id: account.id,
  code: account.code,
  currency: account.currency,
  owner: account.ownerType === null ? null : { type: account.ownerType, id: account.ownerId },
  balance: presentAmount(account.balanceNanos),
  balance_nanos: account.balanceNanos.toString(),
  floor_nanos: account.floorNanos?.toString() ?? null,
  created_at: account.createdAt.toISOString(),
});

const presentTransfer = (transfer: LedgerTransferRow) => ({
  id: transfer.id,
  batch_id: transfer.batchId,
  batch_kind: transfer.batchKind,
  debit: transfer.debit,
  credit: transfer.credit,
  amount: presentAmount(transfer.amountNanos),
  amount_nanos: transfer.amountNanos.toString(),
  currency: transfer.currency,
  type: transfer.type,
  subject:
    transfer.subjectType === null ? null : { type: transfer.subjectType, id: transfer.subjectId },
  event_count: transfer.eventCount,
  created_at: transfer.createdAt.toISOString(),
});
