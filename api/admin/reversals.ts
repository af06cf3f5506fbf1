import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listReversals, readReversalParties } from '../../db/queries/reversals.ts';
import { notFound } from '../../domain/errors.ts';
import { REVERSAL_STATUSES } from '../../domain/lifecycle/reversal.ts';
import { REVERSAL_EVENTS_MAX, REVERSAL_REASONS, REVERSAL_SOURCES } from '../../domain/reversal.ts';
import type { ConsoleDeps } from '../deps.ts';
import { day, id, text } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { requestIdOf } from '../http/request-id.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import {
  presentReversal,
  presentReversalPage,
  reversalPageShape,
  reversalShape,
} from '../present/reversal.ts';

const PARTIES_MAX = 50;
const MOMENT_RULE = 'must be a moment as RFC 3339';

const moment = () =>
  text(40)
    .matches(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/, MOMENT_RULE)
    .test('moment', MOMENT_RULE, (value) => value === undefined || !Number.isNaN(Date.parse(value)))
    .meta({ kind: 'word', schema: { format: 'date-time' } });

const listQuery = yup.object({ ...pageFields, status: yup.string().oneOf(REVERSAL_STATUSES) });
const requestBody = yup.object({
  source: yup.string().oneOf(REVERSAL_SOURCES).required(),
  reason: yup.string().oneOf(REVERSAL_REASONS).required(),
  note: text(2_000).required().min(1),
  from: moment(),
  to: moment(),
  publisher_id: id(),
  site_id: id(),
  zone_id: id(),
  batch_id: id(),
  day: day(),
  event_ids: yup.array().of(yup.string().uuid().required()).min(1).max(REVERSAL_EVENTS_MAX),
});

const rule = 'interface 5.20';
const roles = ['FINANCE'] as const;

/** interface 5.20: what was billed and should not have been. FINANCE and ADMIN ask; FINANCE decides. */
export function reversalRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  router.get(
    '/',
    route(
      {
        summary: 'List reversals of billed events, newest first',
        rule,
        roles,
        query: listQuery,
        answer: pageOfItems(reversalShape),
      },
      async ({ query }) => {
        const page = pageOf(query);
        const { items, total } = await listReversals(runner(deps.db), {
          status: query.status,
          limit: page.limit,
          offset: page.offset,
        });
        return presentPage(items.map(presentReversal), total, page);
      },
    ),
  );

  router.get(
    '/:id',
    route(
      {
        summary: 'Show a reversal with what it takes from and gives to whom',
        rule,
        roles,
        answer: reversalPageShape,
      },
      async ({ id: reversalId }) => await showReversal(deps, reversalId),
    ),
  );
  addWrites(router, deps);
  return router;
}

function addWrites(router: Router, deps: ConsoleDeps): void {
  router.post(
    '/',
    route(
      {
        summary: 'Look for billed events that should not have been, for a second person to approve',
        rule,
        roles,
        body: requestBody,
        answer: reversalPageShape,
        statuses: [202],
      },
      async ({ body, caller, req, res }) => {
        const { source, reason, note, ...scope } = body;
        const { reversalId } = await deps.activities.requestReversal({
          source,
          reason,
          note,
          scope: JSON.parse(JSON.stringify(scope)) as typeof scope,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        res.status(202).location(`/api/admin/reversals/${reversalId}`);
        return await showReversal(deps, reversalId);
      },
    ),
  );

  router.post(
    '/:id/cancel',
    route(
      {
        summary: 'Cancel a reversal that nobody has approved',
        rule,
        roles,
        answer: reversalPageShape,
        refusals: ['state_conflict'],
      },
      async ({ id: reversalId, caller, req }) => {
        await deps.activities.cancelReversal({
          reversalId,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        return await showReversal(deps, reversalId);
      },
    ),
  );
}

/** Raises not_found. */
export async function showReversal({ db }: ConsoleDeps, id: number) {
  const sql = runner(db);
  const { items } = await listReversals(sql, { id, limit: 1, offset: 0 });
  const [reversal] = items;
  if (reversal === undefined) throw notFound();
  return presentReversalPage(reversal, await readReversalParties(sql, id, PARTIES_MAX));
}
