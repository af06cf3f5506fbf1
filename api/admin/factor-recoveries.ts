import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { BY_AGE } from '../../db/queries/by-age.ts';
import { listFactorRecoveries } from '../../db/queries/factor-recoveries.ts';
import { notFound } from '../../domain/errors.ts';
import { FACTOR_RECOVERY_STATUSES } from '../../domain/lifecycle/factor-recovery.ts';
import { IDENTITY_PROOFS } from '../../domain/second-factor.ts';
import type { ConsoleDeps } from '../deps.ts';
import { lines } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { requestIdOf } from '../http/request-id.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { factorRecoveryShape, presentRecovery } from '../present/factor-recovery.ts';

const NOTE_MAX = 500;
const note = () => lines(NOTE_MAX).matches(/\S/, 'must not be empty').required();
const listQuery = yup.object({
  ...pageFields,
  status: yup.string().oneOf(FACTOR_RECOVERY_STATUSES),
  /** Whether an operator has vouched: then the second person has it under approvals. */
  vouched: yup.boolean(),
  /** The newest first is the default. */
  sort: yup.string().oneOf(BY_AGE),
});
const vouchBody = yup.object({
  proof: yup.string().oneOf(IDENTITY_PROOFS).required(),
  note: note(),
});
const refuseBody = yup.object({ note: note() });

const rule = 'interface 5.17';
const roles = ['SUPPORT'] as const;

/**
 * interface 5.17: lost second factors. SUPPORT or ADMIN vouches, a second person approves (5.19); of operators
 * another ADMIN vouches.
 */
export function factorRecoveryRoutes(deps: ConsoleDeps): Router {
  const router = Router();

  router.get(
    '/',
    route(
      {
        summary:
          'List those who say that they lost every second factor, newest first unless `sort` says otherwise',
        rule,
        roles,
        query: listQuery,
        answer: pageOfItems(factorRecoveryShape),
      },
      async ({ query }) => {
        const page = pageOf(query);
        const { items, total } = await listFactorRecoveries(runner(deps.db), {
          status: query.status,
          vouched: query.vouched,
          sort: query.sort,
          limit: page.limit,
          offset: page.offset,
        });
        return presentPage(items.map(presentRecovery), total, page);
      },
    ),
  );

  router.post(
    '/:id/vouch',
    route(
      {
        summary: 'Say how you were shown who it is; a second person decides',
        rule,
        roles,
        stepUp: true,
        body: vouchBody,
        answer: factorRecoveryShape,
        refusals: ['state_conflict'],
      },
      async ({ id, body, caller, req }) => {
        await deps.activities.vouchForRecovery({
          recoveryId: id,
          operator: caller,
          proof: body.proof,
          note: body.note,
          requestId: requestIdOf(req),
        });
        return await show(deps, id);
      },
    ),
  );

  router.post(
    '/:id/refuse',
    route(
      {
        summary: 'Let nobody in, and say why; the person may ask anew',
        rule,
        roles,
        body: refuseBody,
        answer: factorRecoveryShape,
        refusals: ['state_conflict'],
      },
      async ({ id, body, caller, req }) => {
        await deps.activities.refuseRecovery({
          recoveryId: id,
          operator: caller,
          note: body.note,
          requestId: requestIdOf(req),
        });
        return await show(deps, id);
      },
    ),
  );
  return router;
}

async function show(deps: ConsoleDeps, id: number) {
  const { items } = await listFactorRecoveries(runner(deps.db), { id, limit: 1, offset: 0 });
  const [row] = items;
  if (row === undefined) throw notFound();
  return presentRecovery(row);
}
