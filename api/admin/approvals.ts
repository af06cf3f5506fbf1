import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { BY_AGE } from '../../db/queries/by-age.ts';
import { listApprovals, readHolder } from '../../db/queries/approvals.ts';
import { listEvidence } from '../../db/queries/receipt-evidence.ts';
import { listRelatedAccounts } from '../../db/queries/related-accounts.ts';
import { APPROVAL_KINDS, DECIDED_IN_QUEUE } from '../../domain/approvals.ts';
import { notFound } from '../../domain/errors.ts';
import { APPROVAL_STATES } from '../../domain/lifecycle/approval.ts';
import type { ConsoleDeps } from '../deps.ts';
import { id, text } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { requestIdOf } from '../http/request-id.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import {
  approvalPageShape,
  approvalShape,
  evidenceOf,
  presentApproval,
  presentApprovalPage,
} from '../present/approval.ts';

const listQuery = yup.object({
  ...pageFields,
  kind: yup.string().oneOf(APPROVAL_KINDS),
  state: yup.string().oneOf(APPROVAL_STATES),
  account_id: id(),
  subject: text(100),
  /** Only what is decided in this queue; the rest is on the desk. */
  decided_here: yup.boolean(),
  /** The newest first is the default. */
  sort: yup.string().oneOf(BY_AGE),
});
const refusalBody = yup.object({ note: text(500).required().min(1) });

const rule = 'interface 5.19';
const roles = ['FINANCE'] as const;
const HISTORY_MAX = 20;

/** interface 5.19: what persons let move, and who agreed. ADMIN and FINANCE, each bound alike. */
export function approvalRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);

  router.get(
    '/',
    route(
      {
        summary: 'List approvals of money, newest first unless `sort` says otherwise',
        rule,
        roles,
        query: listQuery,
        answer: pageOfItems(approvalShape),
      },
      async ({ query }) => {
        const page = pageOf(query);
        const { items, total } = await listApprovals(sql, {
          kind: query.kind,
          state: query.state,
          accountId: query.account_id,
          subject: query.subject,
          kinds: query.decided_here === true ? DECIDED_IN_QUEUE : undefined,
          sort: query.sort,
          limit: page.limit,
          offset: page.offset,
        });
        return presentPage(items.map(presentApproval), total, page);
      },
    ),
  );

  router.get(
    '/:id',
    route(
      {
        summary: 'Show what is to be approved, whose it is, where it goes and what came before',
        rule,
        roles,
        answer: approvalPageShape,
      },
      async ({ id: approvalId }) => await show(deps, approvalId),
    ),
  );

  addDecisions(router, deps);
  return router;
}

function addDecisions(router: Router, deps: ConsoleDeps): void {
  for (const [move, summary, activity] of [
    ['approve', 'Approve, and do it at once; by another person than its maker', 'approveApproval'],
    ['withdraw', 'Ask no more for what you have asked for', 'withdrawApproval'],
  ] as const) {
    router.post(
      `/:id/${move}`,
      route(
        { summary, rule, roles, answer: approvalPageShape, refusals: ['state_conflict'] },
        async ({ id: approvalId, caller, req }) => {
          await deps.activities[activity]({
            approvalId,
            operatorId: caller.id,
            requestId: requestIdOf(req),
          });
          return await show(deps, approvalId);
        },
      ),
    );
  }
  router.post(
    '/:id/refuse',
    route(
      {
        summary: 'Refuse, and say why; nothing is done',
        rule,
        roles,
        body: refusalBody,
        answer: approvalPageShape,
        refusals: ['state_conflict'],
      },
      async ({ id: approvalId, body, caller, req }) => {
        await deps.activities.refuseApproval({
          approvalId,
          note: body.note,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        return await show(deps, approvalId);
      },
    ),
  );
}

async function show(deps: ConsoleDeps, approvalId: number) {
  const sql = runner(deps.db);
  const { items } = await listApprovals(sql, { id: approvalId, limit: 1, offset: 0 });
  const [approval] = items;
  if (approval === undefined) throw notFound();
  const { accountId } = approval;
  const evidence = await listEvidence(sql, evidenceOf(approval));
  if (accountId === null) {
    return presentApprovalPage(approval, { evidence, holder: undefined, related: [], history: [] });
  }
  const [holder, related, history] = await Promise.all([
    readHolder(sql, accountId),
    listRelatedAccounts(sql, accountId),
    listApprovals(sql, { accountId, limit: HISTORY_MAX, offset: 0 }),
  ]);
  return presentApprovalPage(approval, {
    evidence,
    holder,
    related,
    history: history.items.filter(({ id: other }) => other !== approvalId),
  });
}
