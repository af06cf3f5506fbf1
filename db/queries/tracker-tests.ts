import {
  columnsOf,
  leftJoined,
  prefixed,
  readRow,
  readRows,
  type RowOf,
  select,
} from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { postbacks } from '../tables/postback.ts';
import { type TrackerTestRow, trackerTests } from '../tables/tracker-test.ts';

const TEST = select(columnsOf(trackerTests, 't'));

/** Whatever its tracker is by now. */
export async function findTestByClick(
  sql: SqlRunner,
  clickId: string,
): Promise<TrackerTestRow | undefined> {
  return await readRow(
    sql,
    TEST,
    `SELECT ${TEST.list} FROM tracker_tests t WHERE t.click_id = $1`,
    [clickId],
  );
}

/** A test, and the call that it made of the tracker's postback_url, if any. */
const SHOWN = select({
  ...columnsOf(trackerTests, 't'),
  ...prefixed(
    'call',
    leftJoined(
      columnsOf(postbacks, 'p', ['id', 'url', 'status', 'lastOutcome', 'tookMs', 'answer']),
    ),
  ),
});
export type ShownTrackerTest = RowOf<typeof SHOWN>;

interface OfTracker {
  trackerId: number;
  advertiserId: number;
}

/** The newest first; of one when it is named. */
export async function listTrackerTests(
  sql: SqlRunner,
  of: OfTracker & { id?: number; limit: number },
): Promise<ShownTrackerTest[]> {
  return await readRows(
    sql,
    SHOWN,
    `SELECT ${SHOWN.list} FROM tracker_tests t LEFT JOIN postbacks p ON p.test_id = t.id
     WHERE t.tracker_id = $1 AND t.advertiser_id = $2 AND ($3::bigint IS NULL OR t.id = $3)
     ORDER BY t.id DESC LIMIT $4`,
    [of.trackerId, of.advertiserId, of.id ?? null, of.limit],
  );
}
