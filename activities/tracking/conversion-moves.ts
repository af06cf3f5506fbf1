import type { Transaction } from 'sequelize';
import { newEventId } from '../../db/events/event-log.ts';
import { appendAllWithin } from '../../db/events/event-inbox.ts';
import { runner } from '../../db/postgres.ts';
import type { StoredClick } from '../../db/queries/conversions.ts';
import { moveSql } from '../../db/schema/move.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { type ConversionRow, conversions } from '../../db/tables/conversion.ts';
import type { TrackerRow } from '../../db/tables/tracker.ts';
import { presentAmount } from '../../domain/money.ts';
import type { ConversionReason } from '../../domain/tracking/attribution.ts';
import { conversionFacts } from '../../domain/tracking/conversion-facts.ts';
import { REASONS, type Reason } from '../../domain/tracking/facts.ts';
import type { ActivityDeps } from '../deps.ts';
import { queuePostback } from './postbacks.ts';

/** A conversion of a click that counts. */
export interface Attributed {
  conversion: ConversionRow;
  click: StoredClick;
  tracker: TrackerRow | undefined;
  latencySeconds: number;
}

export interface Dropped {
  conversion: ConversionRow;
  click: StoredClick | undefined;
  tracker: TrackerRow | undefined;
  reason: ConversionReason;
  latencySeconds: number | null;
}

export type Unattributed = Omit<Dropped, 'tracker'>;

/** Nobody's click, or one outside the window: kept, never billed. */
export async function settleUnattributed(
  sql: SqlRunner,
  rows: readonly Unattributed[],
): Promise<void> {
  const isOld = ({ reason }: Unattributed): boolean => reason === 'OUTSIDE_WINDOW';
  const expired = rows.filter(isOld);
  await write(sql, 'expire', expired.map(placed));
  await write(sql, 'disown', rows.filter((row) => !isOld(row)).map(placed));
}

/** Not counted. One whose click was refused leaves an event that says so, for reports. */
export async function dropConversions(
  deps: ActivityDeps,
  tx: Transaction,
  rows: readonly Dropped[],
): Promise<void> {
  const sql = runner(deps.db, tx);
  await write(sql, 'drop', rows.map(placed));
  await appendRefusals(
    sql,
    rows.flatMap(({ conversion, click, reason }) =>
      click === undefined || !isVerdict(reason) ? [] : [{ conversion, click, reason }],
    ),
  );
}

/**
 * Counts: settlement bills it from its event, once, by the conversion's row, and the advertiser's server is
 * called where the tracker names one.
 */
export async function acceptConversions(
  deps: ActivityDeps,
  tx: Transaction,
  rows: readonly Attributed[],
): Promise<void> {
  const sql = runner(deps.db, tx);
  await write(
    sql,
    'accept',
    rows.map((row) => ({ ...placed({ ...row, reason: null }), price_nanos: priceOf(row) })),
  );
  const now = new Date();
  await appendAllWithin(
    sql,
    rows.map(({ conversion, click }) => ({
      id: newEventId(now),
      kind: 'conversion' as const,
      shard: click.shard,
      receivedAt: now,
      facts: conversionFacts(click, {
        conversionId: conversion.id,
        isBilling: bills({ conversion, click }),
      }),
    })),
  );
  for (const row of rows) await queueAdvertiserCall(deps, tx, row);
}

/** Events of what will never be billed: they cost nothing, and reports show them as removed. */
export async function appendRefusals(
  sql: SqlRunner,
  rows: readonly { conversion: ConversionRow; click: StoredClick; reason: Reason }[],
): Promise<void> {
  const now = new Date();
  await appendAllWithin(
    sql,
    rows.map(({ conversion, click, reason: refusal }) => ({
      id: newEventId(now),
      kind: 'conversion' as const,
      shard: click.shard,
      receivedAt: now,
      facts: conversionFacts(click, { conversionId: conversion.id, isBilling: false, refusal }),
    })),
  );
}

/** Whether the conversion is what its campaign pays for; others count, at no price. */
export const bills = ({ conversion, click }: Pick<Attributed, 'conversion' | 'click'>): boolean =>
  click.campaignTrackerId === null || click.campaignTrackerId === conversion.trackerId;

const priceOf = (row: Attributed): string => (bills(row) ? row.click.bidPriceNanos : 0n).toString();

const isVerdict = (reason: ConversionReason): reason is Reason =>
  (REASONS as readonly string[]).includes(reason);

/** A conversion's columns as its click and its decision give them. */
export interface Placed {
  id: number;
  advertiser_id: number | null;
  campaign_id: number | null;
  adgroup_id: number | null;
  ad_id: number | null;
  creative_id: number | null;
  zone_id: number | null;
  publisher_id: number | null;
  clicked_at: string | null;
  latency_seconds: number | null;
  reason: string | null;
  price_nanos: string;
  findings: readonly string[];
  due_at: string | null;
}

export function placed(row: {
  conversion: ConversionRow;
  click: StoredClick | undefined;
  reason: ConversionReason | null;
  latencySeconds: number | null;
}): Placed {
  const { conversion, click } = row;
  return {
    id: conversion.id,
    advertiser_id: conversion.advertiserId ?? click?.advertiserId ?? null,
    campaign_id: click?.campaignId ?? conversion.campaignId,
    adgroup_id: click?.adGroupId ?? conversion.adGroupId,
    ad_id: click?.adId ?? conversion.adId,
    creative_id: click?.creativeId ?? conversion.creativeId,
    zone_id: click?.zoneId ?? conversion.zoneId,
    publisher_id: click?.publisherId ?? conversion.publisherId,
    clicked_at: (click?.clickedAt ?? conversion.clickedAt)?.toISOString() ?? null,
    latency_seconds: row.latencySeconds,
    reason: row.reason,
    price_nanos: conversion.priceNanos.toString(),
    findings: conversion.findings,
    due_at: null,
  };
}

/** One statement per decision; a row that is past it stays as it is. */
export async function write(
  sql: SqlRunner,
  action: 'disown' | 'expire' | 'hold' | 'accept' | 'drop',
  rows: readonly Placed[],
): Promise<void> {
  if (rows.length === 0) return;
  const { set, only } = moveSql(conversions, 'status', action, 't');
  const names = COLUMNS.map(([name]) => name);
  await sql.query(
    `UPDATE conversions t SET ${set}, ${action === 'hold' ? '' : 'decided_at = now(), '}${names.map((name) => `${name} = v.${name}`).join(', ')}
     FROM json_to_recordset($1::json) AS v (id bigint, ${COLUMNS.map((column) => column.join(' ')).join(', ')})
     WHERE t.id = v.id AND ${only}`,
    [JSON.stringify(rows)],
  );
}

const COLUMNS = [
  ['advertiser_id', 'bigint'],
  ['campaign_id', 'bigint'],
  ['adgroup_id', 'bigint'],
  ['ad_id', 'bigint'],
  ['creative_id', 'bigint'],
  ['zone_id', 'bigint'],
  ['publisher_id', 'bigint'],
  ['clicked_at', 'timestamptz'],
  ['latency_seconds', 'integer'],
  ['reason', 'text'],
  ['price_nanos', 'bigint'],
  ['findings', 'jsonb'],
  ['due_at', 'timestamptz'],
] as const satisfies readonly (readonly [keyof Placed, string])[];

/** After acceptance, where the tracker names an address (interface 4.14). */
async function queueAdvertiserCall(
  deps: ActivityDeps,
  tx: Transaction,
  { conversion, click, tracker }: Attributed,
): Promise<void> {
  if (tracker === undefined || tracker.postbackUrl === null) return;
  const { dedupeKey } = conversion;
  await queuePostback(deps, tx, {
    trackerId: tracker.id,
    advertiserId: tracker.advertiserId,
    of: { conversionId: conversion.id },
    template: tracker.postbackUrl,
    values: {
      click_id: click.clickId,
      conversion_id: String(conversion.id),
      value: String(presentAmount(conversion.valueNanos)),
      currency: conversion.currency,
      event: conversion.eventType,
      txid: dedupeKey.startsWith('tx:') ? dedupeKey.slice(3) : '',
      campaign_id: String(click.campaignId),
      adgroup_id: String(click.adGroupId),
      ad_id: String(click.adId),
      creative_id: String(click.creativeId),
      zone_id: String(click.zoneId),
      timestamp: String(Math.floor(conversion.createdAt.getTime() / 1_000)),
    },
  });
}
