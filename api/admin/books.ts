import { Router } from 'express';
import { runner } from '../../db/postgres.ts';
import { runBooks } from '../../db/queries/books.ts';
import type { ConsoleDeps } from '../deps.ts';
import { requireRole } from '../http/auth.ts';
import { ok } from '../http/envelope.ts';

/** `GET /`: every invariant of the books with its figure (decisions 3). */
export function bookRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  router.get('/', requireRole('FINANCE'), async (_req, res) => {
    const checks = await runBooks(runner(deps.db));
    ok(res, { ok: checks.every((check) => check.ok), checks, as_of: deps.clock().toISOString() });
  });
  return router;
}
