import { Router } from 'express';
import { reasonsForOwner } from '../../domain/review-reasons.ts';
import { route } from '../http/route.ts';
import { ownReviewReasonsShape, presentOwnReviewReason } from '../present/review-reason.ts';

/** interface 5.4, in the owner's words: what the codes in `audit_reasons` and `reasons` mean. */
export function ownReviewReasonRoutes(realm: 'advertiser' | 'publisher'): Router {
  const router = Router();
  router.get(
    '/',
    route(
      {
        summary: 'List what a rejection may say, and what to do next',
        rule: 'interface 5.4',
        answer: ownReviewReasonsShape,
      },
      () => Promise.resolve({ items: reasonsForOwner(realm).map(presentOwnReviewReason) }),
    ),
  );
  return router;
}
