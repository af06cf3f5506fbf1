import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listWithdrawals } from '../../db/queries/withdrawals.ts';
import { notFound } from '../../domain/errors.ts';
import { PAYOUT_CHANNELS, WITHDRAWAL_STATUSES } from '../../domain/lifecycle/withdrawal.ts';
import type { ConsoleDeps } from '../deps.ts';
import { nothing, pageOfItems } from '../http/answers.ts';
import { day, id } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { requestIdOf } from '../http/request-id.ts';
import { route, SENT } from '../http/route.ts';
import { operatorWithdrawalShape, presentWithdrawalForOperator } from '../present/withdrawal.ts';

const listQuery = yup.object({
  ...pageFields,
  publisher_id: id(),
  status: yup.string().oneOf(WITHDRAWAL_STATUSES),
  payment_method: yup.string().oneOf(PAYOUT_CHANNELS),
  start_date: day(),
  end_date: day(),
});

const rule = 'decisions 3, 10';
const roles = ['FINANCE'] as const;

/** decisions 3: reads of withdrawals, and the file that an operator carries to the bank. */
export function adminWithdrawalRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);

  router.get(
    '/',
    route(
      {
        summary: 'List withdrawals of every publisher, newest first',
        rule,
        roles,
        query: listQuery,
        answer: pageOfItems(operatorWithdrawalShape),
      },
      async ({ query }) => {
        const page = pageOf(query);
        const { items, total } = await listWithdrawals(sql, {
          publisherId: query.publisher_id,
          status: query.status,
          channel: query.payment_method,
          startDate: query.start_date,
          endDate: query.end_date,
          limit: page.limit,
          offset: page.offset,
        });
        return presentPage(items.map(presentWithdrawalForOperator), total, page);
      },
    ),
  );

  router.get(
    '/:id',
    route(
      { summary: 'Show a withdrawal', rule, roles, answer: operatorWithdrawalShape },
      async ({ id: withdrawalId }) => {
        const { items } = await listWithdrawals(sql, { id: withdrawalId, limit: 1, offset: 0 });
        const [withdrawal] = items;
        if (withdrawal === undefined) throw notFound();
        return presentWithdrawalForOperator(withdrawal);
      },
    ),
  );

  router.get(
    '/:id/payout-file',
    route(
      {
        summary: 'Download the bank file of a withdrawal; audited',
        rule,
        roles,
        answer: nothing(),
        produces: ['application/xml'],
      },
      async ({ id: withdrawalId, caller, req, res }) => {
        const file = await deps.activities.takePayoutFile({
          withdrawalId,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        res.setHeader('Content-Disposition', `attachment; filename="${file.name}"`);
        res.setHeader('Cache-Control', 'no-store');
        res.type('application/xml').send(file.text);
        return SENT;
      },
    ),
  );

  return router;
}
