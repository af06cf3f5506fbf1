import { Router } from 'express';
import type { HealthReport } from './deps.ts';

/**
 * /health/live: this process answers. /health/ready: it can do its work; 503 names the part that is
 * away. PostgreSQL away does not make a tracking node unready, because its spool keeps events.
 */
export function healthRoutes(report: () => Promise<HealthReport>): Router {
  const router = Router();
  router.get('/live', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/ready', async (_req, res) => {
    const health = await report();
    res.status(health.ready ? 200 : 503).json(health);
  });
  return router;
}
