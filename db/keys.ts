/** Every Redis key and channel of the platform, with its time to live. */

/**
 * Messages are JSON `InventoryChange`s (db/serving/snapshot-store.ts). Redis delivers a message to all
 * of its databases: without the database's number two platforms on one server would heed each other's.
 */
export const inventoryChannel = (database: number): string =>
  database === 0 ? 'adp:inventory' : `adp:inventory:${database}`;

/** Frequency counter of one viewer, one capped thing and one window (`campaign:7:3600`); lives for that window. */
export const frequencyKey = (viewer: string, slot: string): string =>
  `adp:{${viewer}}:freq:${slot}`;

/** Fixed-window counter of the API's rate limits. */
export function rateLimitKey(bucket: string, subject: string, windowStart: number): string {
  return `adp:{${subject}}:rate:${bucket}:${windowStart}`;
}
