import type { Reason } from '../../domain/tracking/facts.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { events } from '../tables/event.ts';
import { type RewardRow, rewards } from '../tables/reward.ts';
import { zones } from '../tables/zone.ts';

const ZONE = select(columnsOf(zones, 'z', ['id', 'publisherId', 'zoneKey', 'type', 'settings']));
/** What a reward is made of: the zone's own settings, never what the page says. */
export type RewardZone = RowOf<typeof ZONE>;

/** Undefined for a zone that is not there any more, or whose publisher is suspended. */
export async function findRewardZone(
  sql: SqlRunner,
  zoneId: number,
): Promise<RewardZone | undefined> {
  return await readRow(
    sql,
    ZONE,
    `SELECT ${ZONE.list} FROM zones z JOIN accounts p ON p.id = z.publisher_id
     WHERE z.id = $1 AND z.status <> 'ARCHIVED' AND p.status = 'ACTIVE'`,
    [zoneId],
  );
}

const CALLBACK_URL = select(columnsOf(zones, 'z', ['rewardCallbackUrl']));

/** Null where the publisher's server is not to be called. */
export async function findCallbackUrl(sql: SqlRunner, zoneId: number): Promise<string | null> {
  const found = await readRow(
    sql,
    CALLBACK_URL,
    `SELECT ${CALLBACK_URL.list} FROM zones z WHERE z.id = $1`,
    [zoneId],
  );
  return found?.rewardCallbackUrl ?? null;
}

const REWARD = select(columnsOf(rewards, 'r'));

export async function findReward(
  sql: SqlRunner,
  by: { bidId: string } | { id: number },
): Promise<RewardRow | undefined> {
  const [column, value] = 'bidId' in by ? ['bid_id', by.bidId] : ['id', by.id];
  return await readRow(sql, REWARD, `SELECT ${REWARD.list} FROM rewards r WHERE r.${column} = $1`, [
    value,
  ]);
}

/** Locked: of two calls for one reward, the second sees what the first has granted. */
export async function lockReward(
  sql: SqlRunner,
  transactionId: string,
): Promise<RewardRow | undefined> {
  return await readRow(
    sql,
    REWARD,
    `SELECT ${REWARD.list} FROM rewards r WHERE r.transaction_id = $1 FOR UPDATE`,
    [transactionId],
  );
}

const VERDICT = select(columnsOf(events, 'e', ['reason']));

/** What settlement said of the impressions of a reward's ad; empty when it has seen none yet. */
export async function impressionVerdicts(
  sql: SqlRunner,
  { bidId, requestId }: Pick<RewardRow, 'bidId' | 'requestId'>,
): Promise<(Reason | null)[]> {
  // Rewards end within minutes.
  const isOf =
    requestId === null ? "e.day >= (now() AT TIME ZONE 'UTC')::date - 1" : 'e.request_id = $2';
  const rows = await readRows(
    sql,
    VERDICT,
    `SELECT ${VERDICT.list} FROM events e WHERE e.bid_id = $1 AND e.kind = 'impression' AND ${isOf}`,
    requestId === null ? [bidId] : [bidId, requestId],
  );
  return rows.map(({ reason }) => reason);
}
