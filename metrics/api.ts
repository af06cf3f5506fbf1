import type { RequestHandler } from 'express';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { LimitReason } from '../domain/auction/types.ts';
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

/** Lists of data centres of an operator who has any (api/datacenters.ts): the worst of several processes counts. */
export function measureDatacenters(
  registry: Registry,
  lists: { stats(): { networks: number; ageSeconds: number } },
): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      aggregator: 'max',
      collect() {
        this.set(read());
      },
    });
  };
  gauge(
    'adp_datacenter_networks',
    'Networks of hosting companies that DATACENTER_IP is judged by',
    () => lists.stats().networks,
  );
  gauge(
    'adp_datacenter_age_seconds',
    'Since the oldest list with an address was fetched',
    () => lists.stats().ageSeconds,
  );
}

const LIMITS: Readonly<Record<LimitReason, { name: string; help: string }>> = {
  LOOKS_LIMIT: {
    name: 'adp_auctions_looks_limit_total',
    help: 'Auctions that ended at the most candidates that one may look at',
  },
  CAPPED_LIMIT: {
    name: 'adp_auctions_capped_limit_total',
    help: 'Auctions that ended at the most frequency caps that one may ask for',
  },
};

/** Auctions that did not ask everybody who might have won (LOOKS_MAX, CAPPED_LOTS). */
export function measureAuctions(
  registry: Registry,
  ads: { stats(): { cutShort: Readonly<Record<LimitReason, number>> } },
): void {
  for (const reason of Object.keys(LIMITS) as LimitReason[]) {
    new Counter({
      ...LIMITS[reason],
      registers: [registry],
      collect() {
        this.reset();
        this.inc(ads.stats().cutShort[reason]);
      },
    });
  }
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
