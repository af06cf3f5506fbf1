import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listRemovalAppeals } from '../../db/queries/removal-appeals.ts';
import { notFound } from '../../domain/errors.ts';
import { REMOVAL_APPEAL_STATUSES } from '../../domain/lifecycle/removal-appeal.ts';
import { APPEALABLE_REASONS } from '../../domain/removal-appeal.ts';
import type { ConsoleDeps } from '../deps.ts';
import { day, id, lines } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { presentRemovalAppeal, removalAppealShape } from '../present/removal-appeal.ts';

const TEXT_MAX = 2_000;
const rule = 'interface 4.11';

const listQuery = yup.object({
  ...pageFields,
  status: yup.string().oneOf(REMOVAL_APPEAL_STATUSES),
});
const createBody = yup.object({
  zone_id: id().required(),
  date: day().required(),
  reason: yup.string().oneOf(APPEALABLE_REASONS).required(),
  text: lines(TEXT_MAX).matches(/\S/, 'must say something').required(),
});

/** Mounted at /api/publisher/removal-appeals. */
export function removalAppealRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  router.get(
    '/',
    route(
      {
        summary: 'List your appeals against removed events, newest first',
        rule,
        query: listQuery,
        answer: pageOfItems(removalAppealShape),
      },
      async ({ query, caller }) => {
        const page = pageOf(query);
        const { items, total } = await listRemovalAppeals(runner(deps.db), {
          publisherId: caller.id,
          status: query.status,
          limit: page.limit,
          offset: page.offset,
        });
        return presentPage(items.map(presentRemovalAppeal), total, page);
      },
    ),
  );

  router.post(
    '/',
    route(
      {
        summary: 'Appeal against events that were removed of a zone, day and reason; once',
        rule,
        body: createBody,
        answer: removalAppealShape,
        statuses: [201],
        refusals: ['already_claimed', 'state_conflict'],
      },
      async ({ body, caller }) => {
        const { appealId } = await deps.activities.openRemovalAppeal({
          publisherId: caller.id,
          zoneId: body.zone_id,
          day: body.date,
          reason: body.reason,
          text: body.text.trim(),
        });
        const key = { publisherId: caller.id, id: appealId, limit: 1, offset: 0 };
        const [appeal] = (await listRemovalAppeals(runner(deps.db), key)).items;
        if (appeal === undefined) throw notFound();
        return presentRemovalAppeal(appeal);
      },
    ),
  );
  return router;
}
