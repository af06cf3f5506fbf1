import { factsOf, storedFacts } from '../events/event-inbox.ts';
import { ref, time } from '../schema/column.ts';
import { columnsOf, readRow, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { clicks } from '../tables/click.ts';
import { type TrackerRow, trackers } from '../tables/tracker.ts';

const NOW = select({ now: time().of('now()') });

/** Windows and latency are read on the database's clock, as a click's deadline is. */
export async function databaseNow(sql: SqlRunner): Promise<Date> {
  const row = await readRow(sql, NOW, `SELECT ${NOW.list}`);
  if (row === undefined) throw new Error('now() answered nothing');
  return row.now;
}

const TRACKER = select(columnsOf(trackers, 't'));

/** A paused or archived tracker takes no conversions: its code is as unknown as any other. */
export async function trackerByCode(sql: SqlRunner, code: string): Promise<TrackerRow | undefined> {
  return await readRow(
    sql,
    TRACKER,
    `SELECT ${TRACKER.list} FROM trackers t WHERE t.tracking_code = $1 AND t.status = 'ACTIVE'`,
    [code],
  );
}

/** Legacy mode: the tracker of the clicked campaign, if it has one. */
export async function trackerOfClick(
  sql: SqlRunner,
  clickId: string,
): Promise<TrackerRow | undefined> {
  return await readRow(
    sql,
    TRACKER,
    `SELECT ${TRACKER.list} FROM trackers t
       JOIN campaigns c ON c.tracker_id = t.id AND c.advertiser_id = t.advertiser_id
       JOIN clicks k ON k.campaign_id = c.id WHERE k.click_id = $1 AND t.status = 'ACTIVE'`,
    [clickId],
  );
}

const STORED_CLICK = select({
  ...columnsOf(clicks, 'k'),
  /** The tracker that the campaign bills by; null when it names none. */
  campaignTrackerId: ref().orNull().of('c.tracker_id'),
  /** As the click was stored; null when the inbox no longer has it. */
  facts: storedFacts()
    .orNull()
    .of(factsOf({ id: 'k.id', receivedAt: 'k.clicked_at' })),
});
/** A click as a conversion needs it. */
export type StoredClick = RowOf<typeof STORED_CLICK>;

/** Locks the click, so that of two conversions with different transaction ids one is the first. */
export async function lockClick(sql: SqlRunner, clickId: string): Promise<StoredClick | undefined> {
  return await readRow(
    sql,
    STORED_CLICK,
    `SELECT ${STORED_CLICK.list} FROM clicks k LEFT JOIN campaigns c ON c.id = k.campaign_id
     WHERE k.click_id = $1 FOR NO KEY UPDATE OF k`,
    [clickId],
  );
}

/** Whether the tracker has counted a conversion of this click before. */
export async function hasCounted(
  sql: SqlRunner,
  key: { trackerId: number; clickId: string },
): Promise<boolean> {
  const { rows } = await sql.query(
    `SELECT 1 FROM conversions WHERE tracker_id = $1 AND click_id = $2 AND status IN ('ACCEPTED', 'BILLED', 'UNBILLED')
     LIMIT 1`,
    [key.trackerId, key.clickId],
  );
  return rows.length > 0;
}
