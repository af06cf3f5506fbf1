import type { Pool } from 'pg';
import { jsonbArray, timeArray, uuidArray } from '../schema/binary-array.ts';
import { APPEND_SELECTED, isDataError, withPartitions } from '../events/event-inbox.ts';
import { groupCommit } from '../group-commit.ts';
import { text } from '../schema/column.ts';
import { moveSql } from '../schema/move.ts';
import { columnsOf, type RowOf, select } from '../schema/selection.ts';
import { sqlStateOf } from '../sql-state.ts';
import { clicks } from '../tables/click.ts';
import { CLICK_COLUMNS, clickArrays, type ClickRecord, clickRows } from './click-rows.ts';

/** What a verified click leads to, and what its landing page may learn by macros. */
export type VerifiedClick = RowOf<typeof VERIFIED>;

/** What has no revisions: an operator took it back and nobody has approved it since. */
const takenBack = (type: 'campaign' | 'adgroup', row: string): string =>
  `(${row}.audit_status <> 'APPROVED' AND EXISTS (SELECT FROM reviews s WHERE s.subject_type = '${type}'
     AND s.subject_id = ${row}.id AND s.recalled_by IS NOT NULL AND NOT EXISTS (SELECT FROM reviews y
       WHERE y.subject_type = s.subject_type AND y.subject_id = s.subject_id AND y.round >= s.round
         AND y.status = 'APPROVED')))`;

const VERIFIED = select({
  ...columnsOf(clicks, 'v', ['id', 'clickId', 'bidId', 'requestId', 'creativeId', 'zoneId']),
  /**
   * What was approved of the ad, else of the creative, else of the campaign; empty without any, and of what an operator
   * has suspended or taken back into review: an ad that stands in a page for hours sends nobody to a page that was
   * found out. An owner's own edit keeps what was approved, and does not end what an operator began: that a round
   * since does, in which somebody approved.
   */
  landingUrl: text().of(
    `CASE WHEN o.status = 'SUSPENDED' OR a.approved_revision IS NULL
       OR (k.id IS NOT NULL AND k.approved_revision IS NULL)
       OR ${takenBack('campaign', 'c')} OR ${takenBack('adgroup', 'g')} THEN ''
     ELSE COALESCE(NULLIF(w.landing_url, ''), NULLIF(r.click_url, ''), c.approved_landing_url, '') END`,
  ),
});

export interface ClickVerification {
  clickEventId: string;
  eventId: string;
  receivedAt: Date;
  /** JSON of EventFacts; the click's public id is added by the statement. */
  facts: string;
  /** What its row begins with when nobody has made it yet; null when the click was refused as it came. */
  click: ClickRecord | null;
}

/** A tracking node must not wait longer for a database that hangs. */
const VERIFY_TIMEOUT_MS = 2_000;

/** Verifications that one statement takes. */
const BATCH_MAX = 100;

interface Waiting {
  verification: ClickVerification;
  resolve: (click: VerifiedClick | null) => void;
  reject: (error: unknown) => void;
}

const queues = new WeakMap<Pool, VerificationQueue>();

/**
 * verify_pending -> verified and its inbox event, in one conditional UPDATE; by a second statement when
 * there is no row yet, which makes it. Of two parallel calls one finds the click unused, and the deadline
 * is read on the database clock (interface 6). Null when the click is refused, used or expired. Those that
 * come while a statement runs share the next one and its commit.
 */
export async function verifyClick(
  pool: Pool,
  verification: ClickVerification,
): Promise<VerifiedClick | null> {
  let queue = queues.get(pool);
  if (queue === undefined) {
    queue = new VerificationQueue(pool);
    queues.set(pool, queue);
  }
  return await queue.add(verification);
}

/** One statement is put together while the other commits. */
const STATEMENTS_AT_ONCE = 2;

/** A row is made round conflicts of its id, and may meet its public id first; the next try finds what it met. */
const TRIES_MAX = 5;
const isTakenId = (error: unknown): boolean => sqlStateOf(error) === '23505';

class VerificationQueue {
  readonly #pool: Pool;
  #waiting: Waiting[] = [];
  /** Clicks that a statement names now: two that name the same ones could wait for each other. */
  readonly #named = new Set<string>();
  readonly #came: () => void;

  constructor(pool: Pool) {
    this.#pool = pool;
    const { came } = groupCommit({
      atOnce: STATEMENTS_AT_ONCE,
      waiting: () => this.#waiting.length,
      leave: () => {
        const batch = this.#next();
        // All who wait name clicks of a statement that runs: its end is what they wait for.
        return batch.length === 0 ? undefined : this.#run(batch);
      },
    });
    this.#came = came;
  }

  add(verification: ClickVerification): Promise<VerifiedClick | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ verification, resolve, reject });
      this.#came();
    });
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    await this.#settle(batch);
    for (const { verification } of batch) this.#named.delete(verification.clickEventId);
  }

  /** A click is in a statement once: who names it again finds it used by a later one. */
  #next(): Waiting[] {
    const batch: Waiting[] = [];
    const later: Waiting[] = [];
    for (const waiting of this.#waiting) {
      const { clickEventId } = waiting.verification;
      if (batch.length === BATCH_MAX || this.#named.has(clickEventId)) {
        later.push(waiting);
      } else {
        this.#named.add(clickEventId);
        batch.push(waiting);
      }
    }
    this.#waiting = later;
    return batch;
  }

  async #settle(batch: readonly Waiting[], way: Way = MOVE, tries = 1): Promise<void> {
    const left: Waiting[] = [];
    try {
      const verifications = batch.map(({ verification }) => verification);
      const clicks = await verifyAll(this.#pool, verifications, way);
      const byId = new Map(clicks.map((click) => [click.id, click]));
      for (const waiting of batch) {
        const { clickEventId, click } = waiting.verification;
        const verified = byId.get(clickEventId.toLowerCase()) ?? null;
        if (verified === null && click !== null && way === MOVE) left.push(waiting);
        else waiting.resolve(verified);
      }
    } catch (error) {
      if (way === MAKE && isTakenId(error) && tries < TRIES_MAX) {
        await this.#settle(batch, way, tries + 1);
        return;
      }
      // One that cannot be stored must not refuse the others.
      if (batch.length > 1 && isDataError(error)) {
        for (const waiting of batch) await this.#settle([waiting], way);
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
    if (left.length > 0) await this.#settle(left, MAKE);
  }
}

async function verifyAll(
  pool: Pool,
  verifications: readonly ClickVerification[],
  way: Way,
): Promise<VerifiedClick[]> {
  const times = verifications.map(({ receivedAt }) => receivedAt.toISOString());
  const config = {
    // Prepared once per connection: planning it costs more than running it.
    name: way.name,
    text: way.text,
    values: [
      uuidArray(verifications.map(({ clickEventId }) => clickEventId)),
      uuidArray(verifications.map(({ eventId }) => eventId)),
      timeArray(times),
      jsonbArray(verifications.map(({ facts }) => facts)),
      ...(way === MAKE ? clickArrays(verifications.flatMap(({ click }) => click ?? [])) : []),
    ],
    query_timeout: VERIFY_TIMEOUT_MS,
  };
  const { rows } = await withPartitions(
    pool,
    () => new Set(times.map((time) => time.slice(0, 10))),
    async () => await pool.query<Record<string, unknown>>(config),
  );
  return rows.map((row) => VERIFIED.read(row));
}

/** How a click is verified: its name among the prepared statements, and what it does. */
interface Way {
  name: string;
  text: string;
}

const { set, only } = moveSql(clicks, 'status', 'verify', 'clicks');
const TOLD = `clicks.id, clicks.click_id, clicks.bid_id, clicks.request_id, clicks.shard, clicks.ad_id,
  clicks.creative_id, clicks.zone_id`;

/** `verified`: rows of TOLD with the event of each. */
const verifying = (verified: string): string => `
  WITH input AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::jsonb[])
      AS i (click_event_id, event_id, received_at, event_facts)
  ), ${verified}, inbox AS (
    ${APPEND_SELECTED}
    SELECT (received_at AT TIME ZONE 'UTC')::date, event_id, shard, 'click_verify', received_at,
      event_facts || jsonb_build_object('clickEventId', id, 'clickId', click_id)
    FROM v
  )
  SELECT ${VERIFIED.list}
  FROM v LEFT JOIN ads a ON a.id = v.ad_id LEFT JOIN campaigns c ON c.id = a.campaign_id
    LEFT JOIN ad_groups g ON g.id = a.adgroup_id LEFT JOIN accounts o ON o.id = a.advertiser_id
    LEFT JOIN ad_revisions w ON w.ad_id = a.id AND w.revision = a.approved_revision
    LEFT JOIN creatives k ON k.id = v.creative_id
    LEFT JOIN creative_revisions r ON r.creative_id = k.id AND r.revision = k.approved_revision`;

/** A click whose row waits, as most do: a page takes longer than settlement to come. */
const MOVE: Way = {
  name: 'verify-clicks',
  text: verifying(`v AS (
    UPDATE clicks SET ${set}, verified_at = now()
    FROM input i
    WHERE clicks.id = i.click_event_id AND ${only} AND verify_by > now()
    RETURNING ${TOLD}, i.event_id, i.received_at, i.event_facts
  )`),
};

/**
 * A click that settlement has not come to. One whose row is made in the same moment is verified all the same;
 * one that is past waiting is not touched, as settlement may hold it for long.
 */
const MAKE: Way = {
  name: 'verify-new-clicks',
  text: verifying(`made AS (
    INSERT INTO clicks (${CLICK_COLUMNS}, status, verified_at)
    SELECT n.*, 'verified', now() FROM (${clickRows(5)}) n
    WHERE n.verify_by > now() AND NOT EXISTS (SELECT FROM clicks WHERE clicks.id = n.id AND NOT (${only}))
    ORDER BY n.id
    ON CONFLICT (id) DO UPDATE SET ${set}, verified_at = now() WHERE ${only} AND clicks.verify_by > now()
    RETURNING ${TOLD}
  ), v AS (
    SELECT clicks.*, event_id, received_at, event_facts FROM made clicks JOIN input ON click_event_id = clicks.id
  )`),
};
