import type { Transaction } from 'sequelize';
import { type LoggedEvent, newEventId } from '../../db/events/event-log.ts';
import { appendAllWithin } from '../../db/events/event-inbox.ts';
import { runner } from '../../db/postgres.ts';
import { BILLS_CONVERSIONS, type StoredClick } from '../../db/queries/conversions.ts';
import type { JsonRow } from '../../db/schema/insert.ts';
import { moveSql } from '../../db/schema/move.ts';
import { sqlName } from '../../db/schema/table.ts';
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
    rows.map((row) => ({ ...placed({ ...row, reason: null }), priceNanos: priceOf(row) })),
  );
  await appendAllWithin(
    sql,
    rows.map((row) => eventOf(row, { isBilling: bills(row) })),
  );
  for (const row of rows) await queueAdvertiserCall(deps, tx, row);
}

/** Nobody decided in time: never billed, and the publisher's reports say why. */
export async function rejectUndecided(sql: SqlRunner, rows: readonly Attributed[]): Promise<void> {
  const reason = 'CONVERSION_UNDECIDED' as const;
  await write(
    sql,
    'reject',
    rows.map((row) => placed({ ...row, reason })),
  );
  await appendRefusals(
    sql,
    rows.map((row) => ({ ...row, reason })),
  );
}

/** Events of what will never be billed: they cost nothing, and reports show them as removed. */
export async function appendRefusals(
  sql: SqlRunner,
  rows: readonly { conversion: ConversionRow; click: StoredClick; reason: Reason }[],
): Promise<void> {
  await appendAllWithin(
    sql,
    rows.map((row) => eventOf(row, { isBilling: false, refusal: row.reason })),
  );
}

/** Of the time when it was reported, or when a held one was decided: that is when its budget is asked. */
function eventOf(
  { conversion, click }: Pick<Attributed, 'conversion' | 'click'>,
  outcome: { isBilling: boolean; refusal?: Reason },
): LoggedEvent {
  const receivedAt = conversion.status === 'RECEIVED' ? conversion.createdAt : new Date();
  return {
    id: newEventId(receivedAt),
    kind: 'conversion',
    shard: click.shard,
    receivedAt,
    facts: conversionFacts(click, { conversionId: conversion.id, ...outcome }),
  };
}

/** Whether the conversion is what its campaign pays for; others count, at no price. */
export const bills = ({ conversion, click }: Pick<Attributed, 'conversion' | 'click'>): boolean =>
  click.campaignTrackerId === null || click.campaignTrackerId === conversion.trackerId;

/** Of a campaign that pays for something else its bid is the price of that. */
const priceOf = (row: Attributed): string =>
  (bills(row) && BILLS_CONVERSIONS.has(row.click.pricingModel)
    ? row.click.bidPriceNanos
    : 0n
  ).toString();

const isVerdict = (reason: ConversionReason): reason is Reason =>
  (REASONS as readonly string[]).includes(reason);

/** A conversion's columns as its click and its decision give them. */
export function placed(row: {
  conversion: ConversionRow;
  click: StoredClick | undefined;
  reason: ConversionReason | null;
  latencySeconds: number | null;
}): Placed {
  const { conversion, click } = row;
  return {
    id: conversion.id,
    advertiserId: conversion.advertiserId ?? click?.advertiserId ?? null,
    campaignId: click?.campaignId ?? conversion.campaignId,
    adGroupId: click?.adGroupId ?? conversion.adGroupId,
    adId: click?.adId ?? conversion.adId,
    creativeId: click?.creativeId ?? conversion.creativeId,
    zoneId: click?.zoneId ?? conversion.zoneId,
    publisherId: click?.publisherId ?? conversion.publisherId,
    clickedAt: (click?.clickedAt ?? conversion.clickedAt)?.toISOString() ?? null,
    latencySeconds: row.latencySeconds,
    reason: row.reason,
    priceNanos: conversion.priceNanos.toString(),
    findings: conversion.findings,
    dueAt: null,
    decideBy: null,
  };
}

/** What a decision may say of a conversion. */
const DECIDED = [
  'advertiserId',
  'campaignId',
  'adGroupId',
  'adId',
  'creativeId',
  'zoneId',
  'publisherId',
  'clickedAt',
  'latencySeconds',
  'reason',
  'priceNanos',
  'findings',
  'dueAt',
  'decideBy',
] as const satisfies readonly (keyof ConversionRow)[];
export type Placed = Pick<JsonRow<typeof conversions>, (typeof DECIDED)[number]> & { id: number };

/** One statement per decision; a row that is past it stays as it is. */
export async function write(
  sql: SqlRunner,
  action: 'disown' | 'expire' | 'hold' | 'accept' | 'drop' | 'reject',
  rows: readonly Placed[],
): Promise<void> {
  if (rows.length === 0) return;
  const { set, only } = moveSql(conversions, 'status', action, 't');
  const sets = DECIDED.map((name) => `${sqlName(conversions, name)} = v."${name}"`);
  const types = DECIDED.map((name) => `"${name}" ${conversions.columns[name].kind.types[0]}`);
  await sql.query(
    `UPDATE conversions t SET ${[set, `${action === 'hold' ? 'held_at' : 'decided_at'} = now()`, ...sets].join(', ')}
     FROM json_to_recordset($1::json) AS v (id bigint, ${types.join(', ')})
     WHERE t.id = v.id AND ${only}`,
    [JSON.stringify(rows)],
  );
}

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
      conversion_id: String(conversion.publicId),
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
