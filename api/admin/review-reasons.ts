import { Router } from 'express';
import * as yup from 'yup';
import { TASK_KINDS } from '../../domain/lifecycle/task.ts';
import { reasonsOf } from '../../domain/review-reasons.ts';
import { route } from '../http/route.ts';
import { presentReviewReason, reviewReasonsShape } from '../present/review-reason.ts';

const listQuery = yup.object({ kind: yup.string().oneOf(TASK_KINDS) });

/** interface 5.4: what a decision may say no with. */
export function reviewReasonRoutes(): Router {
  const router = Router();
  router.get(
    '/',
    route(
      {
        summary: 'List the reasons that a rejection may give, by kind of task',
        rule: 'interface 5.4',
        roles: ['REVIEWER', 'FINANCE', 'SUPPORT'],
        query: listQuery,
        answer: reviewReasonsShape,
      },
      ({ query }) => {
        const kinds = query.kind === undefined ? TASK_KINDS : [query.kind];
        const items = kinds.flatMap((kind) =>
          reasonsOf(kind).map((reason) => presentReviewReason(kind, reason)),
        );
        return Promise.resolve({ items });
      },
    ),
  );
  return router;
}
