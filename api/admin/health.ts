import { Router } from 'express';
import { runner } from '../../db/postgres.ts';
import { readFreedoms } from '../../db/application-role.ts';
import { readEventBacklog } from '../../db/events/event-backlog.ts';
import { readBacklogs } from '../../db/queries/backlogs.ts';
import { readFlowFindings } from '../../db/queries/flow-findings.ts';
import type { ConsoleDeps } from '../deps.ts';
import { answers } from '../health.ts';
import { route } from '../http/route.ts';
import { platformHealthShape, presentPlatformHealth } from '../present/platform-health.ts';

/** interface 5.2: queues and workers at a glance; Temporal's silence is an answer, not a fault. */
export function platformHealthRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);
  router.get(
    '/',
    route(
      {
        summary: 'Show what waits, what was given up, and who works on the queues',
        rule: 'interface 5.2',
        roles: ['REVIEWER', 'FINANCE', 'SUPPORT'],
        answer: platformHealthShape,
      },
      async () => {
        const now = deps.clock();
        const [backlogs, events, flows, queues, redisAnswers, freedoms] = await Promise.all([
          readBacklogs(sql, now),
          readEventBacklog(sql, deps.config.shards),
          readFlowFindings(sql, now),
          deps.readPollers(),
          answers({ part: 'redis', log: deps.log, ask: async () => await deps.redis.ping() }),
          readFreedoms(sql),
        ]);
        return presentPlatformHealth({
          now,
          backlogs,
          events,
          flows,
          queues,
          redisAnswers,
          freedoms,
          datacenters: deps.readDatacenters(),
          temporal: deps.config.temporal,
        });
      },
    ),
  );
  return router;
}
