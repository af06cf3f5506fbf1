import type { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { readPayoutFile } from '../../db/queries/payout-board.ts';
import { presentAmount } from '../../domain/money.ts';
import type { ConsoleDeps } from '../deps.ts';
import { id } from '../http/fields.ts';
import { requestIdOf } from '../http/request-id.ts';
import { flag, idOf, money, nothing, record, time, whole, words } from '../http/response-shapes.ts';
import { route, SENT } from '../http/route.ts';

const PAYOUTS_MAX = 100;
/** Each as whoever chose it saw it. */
const filesBody = yup.object({
  payouts: yup
    .array()
    .of(
      yup
        .object({ id: id().required(), version: yup.number().integer().min(1).required() })
        .noUnknown(true)
        .required(),
    )
    .min(1)
    .max(PAYOUTS_MAX)
    .test('once', 'names one of them twice', (payouts) => {
      // Also while it holds what is no payout, which is named by another rule.
      const ids = (payouts ?? []).map((each) => (each as { id: number } | null)?.id);
      return new Set(ids).size === ids.length;
    })
    .required(),
});
const fileShape = record(
  {
    id: idOf(),
    /** What the bank knows the file by. */
    reference: words(),
    file_name: words(),
    payments: whole(),
    total: money(),
    currency: words(),
    created_at: time(),
    /** It held just these before. */
    repeated: flag(),
  },
  'PayoutFile',
);
const rule = 'interface 5.2, 4.12';

/** What an operator carries to the bank. */
export function addPayoutFiles(router: Router, deps: ConsoleDeps): void {
  router.post(
    '/payout-files',
    route(
      {
        summary:
          'Put several payouts into one bank file, all or none; 200 where just these are in one',
        rule,
        roles: 'money',
        body: filesBody,
        answer: fileShape,
        statuses: [200, 201],
      },
      async ({ body, caller, req, res }) => {
        const { fileId, created } = await deps.activities.makePayoutFile({
          payouts: body.payouts,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        const file = await readPayoutFile(runner(deps.db), fileId);
        if (created) res.status(201);
        return {
          id: fileId,
          reference: file.externalRef,
          file_name: file.fileName,
          payments: file.payments,
          total: presentAmount(file.totalNanos),
          currency: file.currency,
          created_at: file.createdAt.toISOString(),
          repeated: !created,
        };
      },
    ),
  );

  router.get(
    '/:id/payout-file',
    route(
      {
        summary: 'Download the bank file that a withdrawal is in; audited',
        rule,
        roles: ['FINANCE'],
        stepUp: true,
        answer: nothing(),
        refusals: ['state_conflict'],
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
}
