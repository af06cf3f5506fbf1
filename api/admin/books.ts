import { Router } from 'express';
import { runner } from '../../db/postgres.ts';
import { runBooks } from '../../db/queries/books.ts';
import type { ConsoleDeps } from '../deps.ts';
import { flag, listOf, record, time, words, wordsOrNull } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';

const booksShape = record(
  {
    ok: flag(),
    checks: listOf(
      record({
        name: words(),
        ok: flag(),
        /** What is wrong, in nanos or rows; 0 when it holds. */
        figure: words(),
        /** The figure as money, exact; null where it counts rows. */
        amount: wordsOrNull(),
        detail: words(),
      }),
    ),
    as_of: time(),
  },
  'Books',
);

/** `GET /`: every invariant of the books with its figure (interface 5.2). */
export function bookRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  router.get(
    '/',
    route(
      {
        summary: 'Run every invariant of the books',
        rule: 'interface 5.2',
        roles: ['FINANCE'],
        answer: booksShape,
      },
      async () => {
        const checks = await runBooks(runner(deps.db));
        return {
          ok: checks.every((check) => check.ok),
          checks,
          as_of: deps.clock().toISOString(),
        };
      },
    ),
  );
  return router;
}
