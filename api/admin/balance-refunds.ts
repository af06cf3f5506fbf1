import { Router } from 'express';
import * as yup from 'yup';
import { PLATFORM_CURRENCY } from '../../activities/core/ledger.ts';
import { runner } from '../../db/postgres.ts';
import {
  listBalanceRefunds,
  listRefundParts,
  readRefundable,
} from '../../db/queries/balance-refunds.ts';
import { planRefund, refundableOf } from '../../domain/balance-refund.ts';
import { notFound } from '../../domain/errors.ts';
import { BALANCE_REFUND_STATUSES } from '../../domain/lifecycle/balance-refund.ts';
import { parseAmount } from '../../domain/money.ts';
import type { ConsoleDeps } from '../deps.ts';
import { amount, amountText, id, text } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { requestIdOf } from '../http/request-id.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import { goesOn, route } from '../http/route.ts';
import {
  balanceRefundPageShape,
  balanceRefundPreviewShape,
  balanceRefundShape,
  presentBalanceRefund,
  presentBalanceRefundPage,
  presentRefundPreview,
} from '../present/balance-refund.ts';

const listQuery = yup.object({
  ...pageFields,
  advertiser_id: id(),
  status: yup.string().oneOf(BALANCE_REFUND_STATUSES),
});
/** Of both, absent: all that can go back. */
const previewQuery = yup.object({ amount: amountText() });
const requestBody = yup.object({
  advertiser_id: id().required(),
  amount: amount().test('min', 'must be above 0', (value) => value !== 0),
  reason: text(500).required().min(1),
});

const rule = 'interface 5.23';
const roles = ['FINANCE'] as const;

/** interface 5.23: unused balance that goes back to whoever paid it. */
export function balanceRefundRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);
  router.get(
    '/',
    route(
      {
        summary: 'List refunds of balance, newest first',
        rule,
        roles,
        query: listQuery,
        answer: pageOfItems(balanceRefundShape),
      },
      async ({ query }) => {
        const page = pageOf(query);
        const { items, total } = await listBalanceRefunds(sql, {
          advertiserId: query.advertiser_id,
          status: query.status,
          limit: page.limit,
          offset: page.offset,
        });
        const shown = items.map((row) => presentBalanceRefund(row, PLATFORM_CURRENCY));
        return presentPage(shown, total, page);
      },
    ),
  );

  router.get(
    '/:id',
    route(
      {
        summary: 'Show a refund of balance with each of its parts',
        rule,
        roles,
        answer: balanceRefundPageShape,
      },
      async ({ id: refundId }) => await show(deps, refundId),
    ),
  );

  router.post(
    '/',
    route(
      {
        summary:
          'Give unused balance back to whoever paid it; 202 when a second person must agree first',
        rule,
        roles: 'money',
        body: requestBody,
        answer: balanceRefundPageShape,
        statuses: [201, 202],
      },
      async ({ body, caller, req, res }) => {
        const { balanceRefundId, approvalId } = await deps.activities.requestBalanceRefund({
          advertiserId: body.advertiser_id,
          amountNanos: parseAmount(body.amount) ?? null,
          reason: body.reason,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        if (approvalId === null) {
          res.status(201).location(`/api/admin/balance-refunds/${balanceRefundId}`);
        } else goesOn(res, `/api/admin/approvals/${approvalId}`);
        return await show(deps, balanceRefundId);
      },
    ),
  );
  return router;
}

/** What a request would do, before anybody asks. */
export const refundableRoute = (deps: ConsoleDeps) =>
  route(
    {
      summary: 'Show what of a balance can go back, from which receipts and by which ways',
      rule,
      roles,
      query: previewQuery,
      answer: balanceRefundPreviewShape,
    },
    async ({ id: advertiserId, query }) => {
      const account = await deps.db.models.accounts.findByPk(advertiserId);
      if (account?.kind !== 'ADVERTISER') throw notFound();
      const sql = runner(deps.db);
      const found = await readRefundable(sql, account.id, { locked: false });
      const { receipts } = found;
      const refundableNanos = refundableOf(found);
      const amountNanos = parseAmount(query.amount) ?? refundableNanos;
      const parts = amountNanos > refundableNanos ? [] : (planRefund(receipts, amountNanos) ?? []);
      const figures = { refundableNanos, amountNanos, currency: PLATFORM_CURRENCY };
      return presentRefundPreview({ ...found, ...figures, parts });
    },
  );

async function show({ db }: ConsoleDeps, id: number) {
  const sql = runner(db);
  const { items } = await listBalanceRefunds(sql, { id, limit: 1, offset: 0 });
  const [refund] = items;
  if (refund === undefined) throw notFound();
  return presentBalanceRefundPage(refund, await listRefundParts(sql, id), PLATFORM_CURRENCY);
}
