import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listReceipts } from '../../db/queries/deposits.ts';
import { notFound } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { text } from '../http/fields.ts';
import { requestIdOf } from '../http/request-id.ts';
import { goesOn, route } from '../http/route.ts';
import { presentReceipt, receiptShape } from '../present/deposit.ts';

const takeBackBody = yup.object({ reason: text(500).required().min(1) });

/** interface 4.6: a receipt that an operator wrote by mistake. */
export function receiptRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  router.post(
    '/:id/take-back',
    route(
      {
        summary: 'Ask for a receipt that was written by mistake to be taken back; another decides',
        rule: 'interface 4.6, 5.19',
        roles: 'money',
        body: takeBackBody,
        answer: receiptShape,
        statuses: [202],
        refusals: ['state_conflict'],
      },
      async ({ id: receiptId, body, caller, req, res }) => {
        const { approvalId } = await deps.activities.askReceiptBack({
          receiptId,
          reason: body.reason,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        goesOn(res, `/api/admin/approvals/${approvalId}`);
        const row = await deps.db.models.depositReceipts.findByPk(receiptId);
        if (row === null) throw notFound();
        const { depositId } = row;
        const [receipt] = await listReceipts(runner(deps.db), { depositId, id: receiptId });
        if (receipt === undefined) throw notFound();
        return presentReceipt(receipt);
      },
    ),
  );
  return router;
}
