import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { readTimeline, TIMELINE_SUBJECTS } from '../../db/queries/timelines.ts';
import { invalid } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { Realm } from '../http/auth.ts';
import { id } from '../http/fields.ts';
import { route } from '../http/route.ts';
import { presentTimeline, timelineShape } from '../present/timeline.ts';

const asked = yup.object({
  subject_type: yup.string().oneOf(TIMELINE_SUBJECTS),
  subject_id: id(),
});

/** `GET /timeline` of one realm: how far something has come, and whose turn it is (interface 5.3). */
export function timelineRoutes(deps: ConsoleDeps, realm: Realm): Router {
  const router = Router();
  const isOperator = realm === 'admin';
  router.get(
    '/',
    route(
      {
        summary: 'Show how far something has come, and whose turn it is',
        rule: 'interface 5.3',
        ...(isOperator ? { roles: ['REVIEWER', 'FINANCE', 'SUPPORT'] as const } : {}),
        query: asked,
        answer: timelineShape,
      },
      async ({ query, caller }) => {
        const { subject_type: type, subject_id: subjectId } = query;
        // Of nothing there is nothing to tell.
        if (type === undefined || subjectId === undefined) {
          return { as_of: deps.clock().toISOString(), timeline: [] };
        }
        const facts = await readTimeline(runner(deps.db), {
          type,
          id: subjectId,
          accountId: isOperator ? null : caller.id,
        });
        if (facts === undefined) {
          throw invalid({
            field: 'subject_id',
            code: 'unknown',
            message: 'There is none of yours.',
          });
        }
        return presentTimeline(facts, { now: deps.clock(), forOperator: isOperator });
      },
    ),
  );
  return router;
}
