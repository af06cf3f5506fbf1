import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listDeposits, listReceipts, type ShownDeposit } from '../../db/queries/deposits.ts';
import { RECEIPT_EFFECTS } from '../../domain/bank-statement/match.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { DEPOSIT_METHODS, DEPOSIT_STATUSES } from '../../domain/lifecycle/deposit.ts';
import { parseAmount } from '../../domain/money.ts';
import type { ConsoleDeps } from '../deps.ts';
import { idOf, listOf, pageOfItems, wordsOrNull } from '../http/response-shapes.ts';
import { amount, id, name, text } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { requestIdOf } from '../http/request-id.ts';
import { route } from '../http/route.ts';
import { receiptEffectRoute } from './receipt-effect.ts';
import { depositShape, presentDeposit, presentReceipt, receiptShape } from '../present/deposit.ts';

const listQuery = yup.object({
  ...pageFields,
  advertiser_id: id(),
  status: yup.string().oneOf(DEPOSIT_STATUSES),
  payment_method: yup.string().oneOf(DEPOSIT_METHODS),
  reference: text(64),
});
const receiptBody = yup.object({
  amount: amount().required().moreThan(0),
  reference: name(140).required(),
  received_at: text(40).meta({ kind: 'word', schema: { format: 'date-time' } }),
  evidence_media_id: id(),
  evidence_id: id(),
  /** Required with evidence for an OFFLINE order. */
  reason: text(500),
  /** As `receipt-effect` said: refused when it would do something else by now. */
  effect: yup.string().oneOf(RECEIPT_EFFECTS),
});

const operatorDepositShape = depositShape
  .shape({ advertiser_id: idOf(), advertiser_name: wordsOrNull() })
  .meta({ name: 'OperatorDeposit' });
const depositWithReceiptsShape = operatorDepositShape
  .shape({ receipts: listOf(receiptShape) })
  .meta({ name: 'DepositWithReceipts' });

const rule = 'interface 5.2, 4.6';
const roles = ['FINANCE'] as const;

/** interface 5.2: money that arrived for an order. FINANCE only; a reviewer cannot touch money. */
export function adminDepositRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);

  router.get(
    '/',
    route(
      {
        summary: 'List top-up orders of every advertiser, newest first',
        rule,
        roles,
        query: listQuery,
        answer: pageOfItems(operatorDepositShape),
      },
      async ({ query }) => {
        const page = pageOf(query);
        const { items, total } = await listDeposits(sql, {
          advertiserId: query.advertiser_id,
          status: query.status,
          paymentMethod: query.payment_method,
          reference: query.reference,
          limit: page.limit,
          offset: page.offset,
        });
        return presentPage(items.map(forOperator), total, page);
      },
    ),
  );

  router.get(
    '/:id',
    route(
      {
        summary: 'Show a top-up order and what arrived for it',
        rule,
        roles,
        answer: depositWithReceiptsShape,
      },
      async ({ id: depositId }) => {
        const { items } = await listDeposits(sql, { id: depositId, limit: 1, offset: 0 });
        const [deposit] = items;
        if (deposit === undefined) throw notFound();
        const receipts = await listReceipts(sql, { depositId: deposit.id });
        return { ...forOperator(deposit), receipts: receipts.map(presentReceipt) };
      },
    ),
  );

  router.get('/:id/receipt-effect', receiptEffectRoute(deps));

  router.post(
    '/:id/receipts',
    route(
      {
        summary: 'Record money that arrived; the same reference again answers the same receipt',
        rule,
        roles: 'money',
        body: receiptBody,
        answer: receiptShape,
        statuses: [200, 201],
        refusals: ['state_conflict', 'already_claimed'],
      },
      async ({ id: depositId, body, caller, req, res }) => {
        const { receiptId, repeated } = await deps.activities.recordReceipt({
          depositId,
          amountNanos: parseAmount(body.amount) ?? 0n,
          reference: body.reference.trim(),
          receivedAt: readTime('received_at', body.received_at),
          evidence: evidenceOf(body),
          reason: body.reason?.trim() ?? null,
          effect: body.effect,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        const [receipt] = await listReceipts(sql, { depositId, id: receiptId });
        if (receipt === undefined) throw notFound();
        res.status(repeated ? 200 : 201);
        return presentReceipt(receipt);
      },
    ),
  );

  return router;
}

/** Under either of its names: media of a tenant prove nothing. */
function evidenceOf(body: yup.InferType<typeof receiptBody>) {
  const { evidence_id: id, evidence_media_id: other } = body;
  if (id !== undefined && other !== undefined && id !== other) {
    const message = 'Names another file than evidence_id.';
    throw invalid({ field: 'evidence_media_id', code: 'contradiction', message });
  }
  if (id !== undefined) return { id, field: 'evidence_id' };
  return other === undefined ? null : { id: other, field: 'evidence_media_id' };
}

/** Whom a transfer is to be made to is its payer's to know. */
const forOperator = (deposit: ShownDeposit) => ({
  ...presentDeposit(deposit, null),
  advertiser_id: deposit.advertiserId,
  advertiser_name: deposit.advertiserName,
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
