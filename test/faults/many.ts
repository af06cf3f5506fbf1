import { runBooks } from '../../db/queries/books.ts';
import { verifiedClick, eventOf } from '../support/settlement.ts';
import { makeLine, type Line } from '../support/make/line.ts';
import { until, pause } from '../support/until.ts';
import { type CrashStand, startCrashStand } from './flow-crashes.ts';
import { startOperators } from './people.ts';
import type { FlowSubject } from './flow-subjects.ts';
import { requested } from './money-requests.ts';

const WITHDRAWALS = Number(process.env['MANY_WITHDRAWALS'] ?? 1_000);
const CLICKS_PER_SECOND = 100;
const CLICK_SECONDS = Number(process.env['MANY_SECONDS'] ?? 120);
const SHARDS = 4;
const LANES = 8;
const ENDS_WITHIN_MS = 1_200_000;

/**
 * `npm run faults -- many`: so many withdrawals at once on the embedded server, and clicks beside them that
 * nobody verifies. Says flows per second, events of a history per flow and per click, and how late
 * an expiry is.
 */
export async function runMany(): Promise<boolean> {
  const stand = await startCrashStand({ SHARDS: String(SHARDS), LOG_LEVEL: 'warn' });
  try {
    await stand.platform.pool.query(
      `INSERT INTO settings (key, value) VALUES ('review.withdrawal', '"auto_when_clean"')`,
    );
    const flows = await withdrawals(stand);
    const clicks = await expiries(stand);
    const broken = (await runBooks(stand.platform.pool)).filter(({ ok }) => !ok);
    for (const check of broken) console.error(`BOOKS ${check.name}: ${check.figure}`);
    return flows && clicks && broken.length === 0;
  } finally {
    await stand.close();
  }
}

async function withdrawals(stand: CrashStand): Promise<boolean> {
  const { worker, pool } = stand.platform;
  await worker.kill('SIGTERM');
  const subjects: FlowSubject[] = [];
  const lane = async (): Promise<void> => {
    while (subjects.length < WITHDRAWALS) {
      const at = subjects.length;
      subjects.push({
        type: 'withdrawal',
        id: 0,
        workflowId: '',
        end: 'PAID',
        decision: 'approve',
      });
      const { id } = await requested(stand.world);
      Object.assign(subjects[at] ?? {}, { id, workflowId: `withdrawal:${id}` });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const ids = subjects.map(({ id }) => id);
  const operators = startOperators(stand, subjects);
  const startedAt = Date.now();
  await worker.restart();
  await until({ what: 'all are paid', withinMs: ENDS_WITHIN_MS }, async () => {
    const { rows } = await pool.query(
      `SELECT FROM withdrawals WHERE id = ANY($1) AND status <> 'PAID'`,
      [ids],
    );
    return rows.length === 0;
  });
  const seconds = (Date.now() - startedAt) / 1_000;
  await operators.stop();
  const { rows: asked } = await pool.query(`SELECT FROM tasks WHERE subject_type = 'withdrawal'`);
  const query = "WorkflowType = 'withdrawalWorkflow' AND ExecutionStatus = 'Completed'";
  await until({ what: 'the list knows of all', withinMs: 60_000 }, async () => {
    const { count } = await stand.client.workflow.count(query);
    return count >= WITHDRAWALS;
  });
  const events = await eventsOf(stand, query);
  console.log(
    `${WITHDRAWALS} withdrawals at once: ${seconds.toFixed(1)} s from the worker's start, ` +
      `${(WITHDRAWALS / seconds).toFixed(1)} flows a second, ${(events / WITHDRAWALS).toFixed(1)} events a flow; ` +
      `${asked.length} of them asked a person; ${stand.paid()} payments made`,
  );
  return stand.paid() === WITHDRAWALS;
}

async function eventsOf({ client }: CrashStand, query: string): Promise<number> {
  let events = 0;
  for await (const { historyLength } of client.workflow.list({ query })) events += historyLength;
  return events;
}

/** Histories of loops as they are now: the list is told of a length when a run ends. */
async function eventsOfLoops({ client }: CrashStand): Promise<number> {
  let events = 0;
  for (let shard = 0; shard < SHARDS; shard += 1) {
    const handle = client.workflow.getHandle(`click-expiry:${shard}`);
    events += (await handle.describe()).historyLength;
  }
  return events;
}

async function expiries(stand: CrashStand): Promise<boolean> {
  const { database } = stand.world;
  const line = await makeLine(database);
  const before = await eventsOfLoops(stand);
  let made = 0;
  const startedAt = Date.now();
  while (made < CLICKS_PER_SECOND * CLICK_SECONDS) {
    const due = Math.floor(((Date.now() - startedAt) / 1_000) * CLICKS_PER_SECOND);
    await pendingClicks(stand, line, made, Math.min(due, CLICKS_PER_SECOND * CLICK_SECONDS));
    made = Math.max(made, due);
    await pause(250, 'clicks come one after the other');
  }
  await until({ what: 'every click has expired', withinMs: ENDS_WITHIN_MS }, async () => {
    const { rows } = await database.pool.query(
      `SELECT FROM clicks WHERE status = 'verify_pending' LIMIT 1`,
    );
    return rows.length === 0;
  });
  const events = (await eventsOfLoops(stand)) - before;
  const clicks = CLICKS_PER_SECOND * CLICK_SECONDS;
  const late = await lateness(stand);
  console.log(
    `${clicks} clicks in ${CLICK_SECONDS} s on ${SHARDS} shards that nobody verified: ${events} events of histories, ` +
      `${(events / clicks).toFixed(4)} a click; expired ${late.p50} ms late (p50), ${late.p99} ms (p99), ${late.max} ms (max)`,
  );
  return events / clicks <= 0.01;
}

/** Each falls due in the minute after the next: a lap may sleep for one, as a click is given five. */
async function pendingClicks(
  { world }: CrashStand,
  line: Line,
  from: number,
  to: number,
): Promise<void> {
  if (to <= from) return;
  const first = await verifiedClick(world.database, line, eventOf(line), { status: 'expired' });
  await world.database.pool.query(
    `INSERT INTO clicks (id, click_id, shard, status, verify_by, clicked_at, request_id, bid_id, advertiser_id,
       campaign_id, adgroup_id, ad_id, creative_id, zone_id, bid_price_nanos, pricing_model)
     SELECT gen_random_uuid(), 'many-' || n, n % ${SHARDS}, 'verify_pending', now() + (61 + random() * 60) * interval '1 second',
       now(), request_id, 'many-' || n, advertiser_id, campaign_id, adgroup_id, ad_id, creative_id, zone_id,
       bid_price_nanos, pricing_model
     FROM clicks, generate_series($1::int, $2::int - 1) n WHERE click_id = $3`,
    [from, to, first.facts.clickId],
  );
}

async function lateness({ world }: CrashStand): Promise<Record<'p50' | 'p99' | 'max', number>> {
  const { rows } = await world.database.pool.query<Record<'p50' | 'p99' | 'max', number>>(
    `WITH late AS (
       SELECT extract(epoch FROM e.received_at - c.verify_by) * 1000 AS ms
       FROM event_inbox e JOIN clicks c ON c.click_id = e.facts->>'clickId'
       WHERE e.kind = 'click_expired' AND c.click_id LIKE 'many-%')
     SELECT round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ms))::int AS p50,
       round(percentile_cont(0.99) WITHIN GROUP (ORDER BY ms))::int AS p99, round(max(ms))::int AS max FROM late`,
  );
  return rows[0] ?? { p50: 0, p99: 0, max: 0 };
}
