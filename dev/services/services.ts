import type { StandContext } from './context.ts';
import { bringPostgres, type PostgresNeeds } from './postgres.ts';
import { bringRedis } from './redis.ts';
import type { Service } from './service.ts';
import { bringTemporal, type TemporalService } from './temporal.ts';

export interface Services {
  postgres: Service;
  redis: Service;
  temporal: TemporalService;
}

/** Brings all three up at once. When one fails, the others are let finish, so that they can be ended. */
export async function bringServices(
  context: StandContext,
  needs: PostgresNeeds,
): Promise<Services> {
  const [postgres, redis, temporal] = await Promise.allSettled([
    announce(context, 'PostgreSQL', bringPostgres(context, needs)),
    announce(context, 'Redis', bringRedis(context)),
    announce(context, 'Temporal', bringTemporal(context, needs.lasts)),
  ]);
  return { postgres: valueOf(postgres), redis: valueOf(redis), temporal: valueOf(temporal) };
}

async function announce<Found extends Service>(
  context: StandContext,
  title: string,
  bringing: Promise<Found>,
): Promise<Found> {
  const service = await bringing;
  const pid = service.pid === undefined ? '' : `, pid ${service.pid()}`;
  context.progress.say(
    `${title} stands: ${withoutPassword(service.address)} (${service.origin}${pid})`,
  );
  return service;
}

function valueOf<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

const withoutPassword = (url: string): string => url.replace(/:[^:@/]+@/, ':***@');

/** The variables by which services come from elsewhere; those are neither started nor ended here. */
export const givenServices = ({ env }: StandContext): string[] =>
  ['POSTGRES_URL', 'REDIS_URL', 'TEMPORAL_ADDRESS'].filter((name) => env[name] !== undefined);

/** How the platform and its tests are told where the services are. */
export function serviceEnv(services: Services): Record<string, string> {
  return {
    POSTGRES_URL: services.postgres.address,
    REDIS_URL: services.redis.address,
    TEMPORAL_ADDRESS: services.temporal.address,
    TEMPORAL_UI_URL: services.temporal.uiUrl,
  };
}
