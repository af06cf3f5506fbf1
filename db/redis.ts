import { createClient } from 'redis';
import { inventoryChannel } from './keys.ts';

export type Redis = ReturnType<typeof createRedis>;

/**
 * Redis holds nothing that cannot be lost: frequency counters and change notices. Commands fail
 * at once while it is away (no offline queue), so no caller waits for it.
 */
export function createRedis(url: string) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: 1_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 2_000),
    },
  });
  // Each failed reconnect raises 'error'; callers see isReady and /health shows it to the operator.
  client.on('error', () => undefined);
  return client;
}

/** Where change notices of this client's platform are published. */
export const noticesOf = (redis: Pick<Redis, 'options'>): string =>
  inventoryChannel(redis.options.database ?? 0);
