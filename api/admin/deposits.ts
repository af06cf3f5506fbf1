import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { type DepositRow, listDeposits, listReceipts } from '../../db/queries/deposits.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { DEPOSIT_METHODS, DEPOSIT_STATUSES } from '../../domain/lifecycle/deposit.ts';
import { parseAmount } from '../../domain/money.ts';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf, requireRole } from '../http/auth.ts';
import { created, ok } from '../http/envelope.ts';
import { amount, id, name, text } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { readBody, readId, readQuery } from '../http/read.ts';
import { requestIdOf } from '../http/request-id.ts';
import { presentDeposit, presentReceipt } from '../present/deposit.ts';

const listSchema = yup.object({
  ...pageFields,
  advertiser_id: id(),
  status: yup.string().oneOf(DEPOSIT_STATUSES),
  payment_method: yup.string().oneOf(DEPOSIT_METHODS),
  reference: text(64),
});
const receiptSchema = yup.object({
  amount: amount().required().moreThan(0),
  reference: name().required().max(140),
  received_at: text(40),
  evidence_media_id: id(),
});

/** decisions 3: money that arrived for an order. FINANCE only; a reviewer cannot touch money. */
export function adminDepositRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);
  router.use(requireRole('FINANCE'));

  router.get('/', async (req, res) => {
    const query = readQuery(req, listSchema);
    const page = pageOf(query);
    const { items, total } = await listDeposits(sql, {
      advertiserId: query.advertiser_id,
      status: query.status,
      paymentMethod: query.payment_method,
      reference: query.reference,
      limit: page.limit,
      offset: page.offset,
    });
    ok(res, presentPage(items.map(presentForOperator), total, page));
  });

  router.get('/:id', async (req, res) => {
    const { items } = await listDeposits(sql, { id: readId(req), limit: 1, offset: 0 });
    const [deposit] = items;
    if (deposit === undefined) throw notFound();
    const receipts = await listReceipts(sql, deposit.id);
    ok(res, { ...presentForOperator(deposit), receipts: receipts.map(presentReceipt) });
  });

  router.post('/:id/receipts', async (req, res) => {
    const body = readBody(req, receiptSchema);
    const { receipt, repeated } = await deps.activities.recordReceipt({
      depositId: readId(req),
      amountNanos: parseAmount(body.amount) ?? 0n,
      reference: body.reference.trim(),
      receivedAt: readTime('received_at', body.received_at),
      evidenceMediaId: body.evidence_media_id ?? null,
      operatorId: identityOf(req).id,
      requestId: requestIdOf(req),
    });
    const presented = presentReceipt({ ...receipt.get(), reference: receipt.providerReference });
    if (repeated) ok(res, presented);
    else created(res, presented);
  });

  return router;
}

const presentForOperator = (deposit: DepositRow) => ({
  ...presentDeposit(deposit),
  advertiser_id: deposit.advertiserId,
});

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

function readTime(field: string, value: string | undefined): Date | null {
  if (value === undefined) return null;
  const time = new Date(value);
  if (!RFC_3339.test(value) || Number.isNaN(time.getTime())) {
    throw invalid({ field, code: 'format', message: 'must be an RFC 3339 time' });
  }
  return time;
}
