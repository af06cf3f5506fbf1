import { REASONS, type Reason } from '../../domain/tracking/facts.ts';
import type { SqlRunner } from '../sql-runner.ts';

/** What a reward is made of: the zone's own words, never the page's. */
export interface RewardZone {
  id: number;
  publisherId: number;
  zoneKey: string;
  type: string;
  settings: Record<string, unknown>;
}

/** Undefined for a zone that is not there any more, or whose publisher is suspended. */
export async function findRewardZone(
  sql: SqlRunner,
  zoneId: number,
): Promise<RewardZone | undefined> {
  const { rows } = await sql.query<{
    id: string;
    publisher_id: string;
    zone_key: string;
    type: string;
    settings: Record<string, unknown>;
  }>(
    `SELECT z.id, z.publisher_id, z.zone_key, z.type, z.settings
     FROM zones z JOIN accounts p ON p.id = z.publisher_id
     WHERE z.id = $1 AND z.status <> 'ARCHIVED' AND p.status = 'ACTIVE'`,
    [zoneId],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    id: Number(row.id),
    publisherId: Number(row.publisher_id),
    zoneKey: row.zone_key,
    type: row.type,
    settings: row.settings,
  };
}

export type CallbackStatus = 'NONE' | 'QUEUED' | 'DELIVERED' | 'FAILED';

export interface RewardRow {
  id: number;
  bidId: string;
  transactionId: string;
  zoneId: number;
  adUnit: string;
  userId: string;
  customData: string;
  watchSeconds: number;
  amount: number;
  item: string;
  issuedAtMs: number;
  expiresAtMs: number;
  grantedAtMs: number | null;
  payload: string | null;
  signature: string | null;
  keyId: number | null;
  callbackUrl: string | null;
  callbackStatus: CallbackStatus;
}

const COLUMNS = `id, bid_id, transaction_id, zone_id, ad_unit, user_id, custom_data, watch_seconds,
  reward_amount::float8 AS amount, reward_item, (extract(epoch FROM issued_at) * 1000)::float8 AS issued_ms,
  (extract(epoch FROM expires_at) * 1000)::float8 AS expires_ms,
  (extract(epoch FROM granted_at) * 1000)::float8 AS granted_ms, payload, signature, key_id, callback_url,
  callback_status`;

type Text = Record<string, unknown>;

const rewardRow = (row: Text): RewardRow => ({
  id: Number(row['id']),
  bidId: String(row['bid_id']),
  transactionId: String(row['transaction_id']),
  zoneId: Number(row['zone_id']),
  adUnit: String(row['ad_unit']),
  userId: String(row['user_id']),
  customData: String(row['custom_data']),
  watchSeconds: Number(row['watch_seconds']),
  amount: Number(row['amount']),
  item: String(row['reward_item']),
  issuedAtMs: Math.round(Number(row['issued_ms'])),
  expiresAtMs: Math.round(Number(row['expires_ms'])),
  grantedAtMs: row['granted_ms'] === null ? null : Math.round(Number(row['granted_ms'])),
  payload: row['payload'] as string | null,
  signature: row['signature'] as string | null,
  keyId: row['key_id'] === null ? null : Number(row['key_id']),
  callbackUrl: row['callback_url'] as string | null,
  callbackStatus: row['callback_status'] as CallbackStatus,
});

export async function findReward(
  sql: SqlRunner,
  by: { bidId: string } | { id: number },
): Promise<RewardRow | undefined> {
  const { rows } =
    'bidId' in by
      ? await sql.query<Text>(`SELECT ${COLUMNS} FROM rewards WHERE bid_id = $1`, [by.bidId])
      : await sql.query<Text>(`SELECT ${COLUMNS} FROM rewards WHERE id = $1`, [by.id]);
  return rows.map(rewardRow)[0];
}

/** Locked: of two that ask for one reward, the second sees what the first has granted. */
export async function lockReward(
  sql: SqlRunner,
  transactionId: string,
): Promise<RewardRow | undefined> {
  const { rows } = await sql.query<Text>(
    `SELECT ${COLUMNS} FROM rewards WHERE transaction_id = $1 FOR UPDATE`,
    [transactionId],
  );
  return rows.map(rewardRow)[0];
}

/** What settlement said of the bid's impressions; empty when it has seen none yet. */
export async function impressionVerdicts(
  sql: SqlRunner,
  bidId: string,
): Promise<(Reason | null)[]> {
  const { rows } = await sql.query<{ reason: string | null }>(
    `SELECT reason FROM events WHERE bid_id = $1 AND kind = 'impression'`,
    [bidId],
  );
  return rows.map(({ reason }) => REASONS.find((known) => known === reason) ?? null);
}
