import type { Router } from 'express';
import * as yup from 'yup';
import type { ConsoleDeps } from '../deps.ts';
import { id, text } from '../http/fields.ts';
import { requestIdOf } from '../http/request-id.ts';
import { goesOn, route } from '../http/route.ts';
import { withdrawalPageShape } from '../present/withdrawal.ts';

/** What the bank's portal said, and what shows it: the caller's own upload (`receipt-evidence`). */
const takeBackBody = yup.object({
  reason: text(500).required().min(1),
  evidence_id: id().required(),
});

/** interface 4.12: a bank file that was handed out, and that the bank did not take. */
export function addPayoutFileTakeBack(
  router: Router,
  deps: ConsoleDeps,
  show: (withdrawalId: number) => Promise<yup.InferType<typeof withdrawalPageShape>>,
): void {
  router.post(
    '/:id/payout-file/take-back',
    route(
      {
        summary:
          'Ask for the bank file that a withdrawal is in to be taken back, with all in it; another decides',
        rule: 'interface 5.2, 4.12, 5.19',
        roles: 'money',
        body: takeBackBody,
        answer: withdrawalPageShape,
        statuses: [202],
        refusals: ['state_conflict'],
      },
      async ({ id: withdrawalId, body, caller, req, res }) => {
        const { approvalId } = await deps.activities.askPayoutFileBack({
          withdrawalId,
          reason: body.reason,
          evidenceId: body.evidence_id,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        goesOn(res, `/api/admin/approvals/${approvalId}`);
        return await show(withdrawalId);
      },
    ),
  );
}
