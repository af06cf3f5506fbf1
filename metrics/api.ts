import type { RequestHandler } from 'express';
import { Gauge, Histogram, type Registry } from 'prom-client';
import { NANOS_PER_UNIT } from '../domain/money.ts';
import { routeOf } from '../api/http/route-of.ts';

/** What an API process keeps in memory: read when Prometheus asks, so that no request pays for it. */
export function measureEventLog(
  registry: Registry,
  eventLog: { stats(): { pending: number; spooled: number } },
): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
  gauge(
    'adp_event_log_pending',
    'Events that wait for their commit',
    () => eventLog.stats().pending,
  );
  gauge(
    'adp_spool_events',
    'Events in the local spool, for want of PostgreSQL',
    () => eventLog.stats().spooled,
  );
}

/** Money that budgets hold back until settlement has told of what was shown (api/ad/holds.ts). */
export function measureHolds(registry: Registry, holds: { heldNanos(): bigint }): void {
  new Gauge({
    name: 'adp_budget_held_units',
    help: 'Money that budgets hold back for what was shown and is not settled, in units',
    registers: [registry],
    collect() {
      this.set(Number(holds.heldNanos()) / Number(NANOS_PER_UNIT));
    },
  });
}

/** Durations of console requests by route, not by address: ids would be labels without end. */
export function measureRequests(registry: Registry): RequestHandler {
  const seconds = new Histogram({
    name: 'adp_http_request_seconds',
    help: 'Duration of console requests',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  });
  return (req, res, next) => {
    const end = seconds.startTimer({ method: req.method });
    res.on('finish', () => {
      end({ route: routeOf(req), status: `${Math.floor(res.statusCode / 100)}xx` });
    });
    next();
  };
}
