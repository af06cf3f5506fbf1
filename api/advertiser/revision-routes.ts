import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listRevisions, type RevisionScreen } from '../../db/queries/revisions.ts';
import { notFound } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { route } from '../http/route.ts';

interface RevisionKind<Row, Shape extends yup.AnyObjectSchema> {
  summary: string;
  rule: string;
  screen: RevisionScreen<Row>;
  shape: Shape;
  present: (row: Row) => yup.InferType<Shape>;
}

/** What was ever shown or asked to be, with the reasons of each review (interface 2.5). */
export function revisionRoutes<Row, Shape extends yup.AnyObjectSchema>(
  { db }: ConsoleDeps,
  { summary, rule, screen, shape, present }: RevisionKind<Row, Shape>,
): Router {
  const router = Router();
  router.get(
    '/:id/revisions',
    route(
      { summary, rule, query: yup.object(pageFields), answer: pageOfItems(shape) },
      async ({ id, caller, query }) => {
        const page = pageOf(query);
        const key = { id, advertiserId: caller.id };
        const found = await listRevisions(runner(db), screen, key, page);
        if (found === undefined) throw notFound();
        return presentPage(found.rows.map(present), found.total, page);
      },
    ),
  );
  return router;
}
