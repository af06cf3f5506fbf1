import type { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { readBankPosition } from '../../db/queries/bank-position.ts';
import type { ConsoleDeps } from '../deps.ts';
import { id, text } from '../http/fields.ts';
import { requestIdOf } from '../http/request-id.ts';
import { goesOn, route } from '../http/route.ts';
import { bankPositionShape, presentBankPosition } from '../present/bank-statement.ts';
import { idOf, idOrNullOf, record } from '../http/response-shapes.ts';

const about = { rule: 'interface 5.2, 5.12', roles: ['FINANCE'] } as const;
const ITEMS_MAX = 100;
const explainBody = yup.object({
  line_id: id().required(),
  note: text(500).required().min(3),
});

/** Of /api/admin/bank-statements: what the bank has beyond our books, and what a movement is. */
export function addBankMovements(router: Router, deps: ConsoleDeps): void {
  router.get(
    '/position',
    route(
      {
        ...about,
        summary:
          'Show the difference between the bank’s statements and the books, and what it is made of',
        answer: bankPositionShape,
      },
      async () => presentBankPosition(await readBankPosition(runner(deps.db), ITEMS_MAX)),
    ),
  );

  router.post(
    '/:id/explain',
    route(
      {
        ...about,
        roles: 'money',
        summary:
          'Say of a movement that it is nothing of the platform’s, such as a fee of the bank; 202 when a second person must agree',
        body: explainBody,
        answer: record({
          line_id: idOf(),
          /** It waits for a second person (202); null: it is said. */
          approval_id: idOrNullOf(),
        }),
        statuses: [200, 202],
      },
      async ({ id: statementId, body, caller, req, res }) => {
        const { approvalId } = await deps.activities.explainStatementLine({
          statementId,
          lineId: body.line_id,
          note: body.note,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        if (approvalId !== null) goesOn(res, `/api/admin/approvals/${approvalId}`);
        return { line_id: body.line_id, approval_id: approvalId };
      },
    ),
  );
}
