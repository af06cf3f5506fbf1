import type { Pool } from 'pg';
import { issueDocuments } from '../activities/documents/issue.ts';
import { readEventBacklog } from '../db/events/event-backlog.ts';
import { shardOf } from '../domain/tracking/facts.ts';
import { type Page, until } from './api-client.ts';
import type { Seed } from './seed.ts';
import { dateAccounts, type DemoDays, demoDays, onSeedClock, type SeedClock } from './seed-days.ts';
import { setMoney } from './seed-money.ts';
import { withClock } from './seed-past.ts';
import type { Place } from './seed-places.ts';
import { decideTask } from './seed-tasks.ts';
import {
  report,
  type Sale,
  type TrafficOptions,
  visitsOf,
  withTraffic,
  type WriteDay,
} from './seed-traffic.ts';

/** Of a day before the two weeks: enough for an invoice, and over in a second. */
const QUIET_VISITS = 140;
/** Who issues the demo's documents. */
const ISSUER = {
  'issuer.legal_name': 'Harbour Ads Ltd',
  'issuer.address': '1 Harbour Street, Port Example',
  'issuer.tax_id': 'EX 123456789',
} as const;
const RECEIPT_AFTER_MS = 5 * 60_000;
/** When the schedule would find the month over (activities/documents/issue.ts). */
const CLOSED_AFTER_MS = 3_600_000;
/** Of the quiet days, and its hours, whose readers were none. */
const TAKEN_BACK_DAY = 6;
const TAKEN_BACK_HOURS = [8, 18] as const;

/**
 * The month before, closed: accounts paid in (seed.ts), some readers came, what they saw was settled on its day, a
 * part of it was taken back, earnings matured, and an hour into the next month everybody got their documents. All of
 * it is what the platform's own steps write on a clock that stands there. After the market, whose ads are seen, and
 * before anything of this month is posted: a ledger goes forward. Answers false where it was done before.
 */
export async function seedMonth(seed: Seed, traffic: TrafficOptions): Promise<boolean> {
  const days = demoDays(new Date());
  const closing = new Date(days.monthEnd.getTime() + CLOSED_AFTER_MS);
  const written = await withTraffic(traffic, async (writeDay, pool) => {
    if (!(await isOpen(pool, days))) return 0;
    for (const [key, value] of Object.entries(ISSUER)) await setMoney(seed, key, value);
    await issueAt(seed, new Date(days.paidIn.getTime() + RECEIPT_AFTER_MS));
    await onSeedClock(seed.ownerUrl, async (clock) => {
      await live({ seed, traffic, clock, writeDay, pool }, days);
      await clock.at(days.takenBack);
      await takeBack(seed, days);
      await clock.at(closing);
      await dateAccounts(seed.ownerUrl, days.monthEnd);
      await withClock(
        seed.env,
        () => closing,
        async ({ activities }) => await activities.matureEarnings(),
      );
    });
    await issueAt(seed, closing);
    return 1;
  });
  return written > 0;
}

/** What the schedule would issue within five minutes: a demo that is complete has it. */
export async function seedReceipts(seed: Seed): Promise<void> {
  await issueAt(seed, new Date());
}

const issueAt = async ({ env }: Seed, at: Date): Promise<number> =>
  await withClock(
    env,
    () => at,
    async ({ deps }) => await issueDocuments(deps),
  );

/** Nothing is closed yet, and the first that was posted is of that month: a demo of an older build has none. */
async function isOpen(pool: Pool, { monthFrom, monthEnd }: DemoDays): Promise<boolean> {
  const { rows } = await pool.query<{ open: boolean | null }>(
    `SELECT min(created_at) >= $1 AND min(created_at) < $2
       AND NOT EXISTS (SELECT FROM document_months) AS open FROM ledger_transfers`,
    [monthFrom, monthEnd],
  );
  return rows[0]?.open === true;
}

interface Live {
  seed: Seed;
  traffic: TrafficOptions;
  clock: SeedClock;
  writeDay: WriteDay;
  pool: Pool;
}

/**
 * Day by day, each settled before the next. In a shard of their own, which no worker settles meanwhile; sales are
 * decided by a loop of the running platform, so what is sold for them is settled with everything else.
 */
async function live({ seed, traffic, clock, writeDay, pool }: Live, days: DemoDays): Promise<void> {
  const shard = traffic.shards;
  const shardOfPlace = ({ trackingCode, place }: Place): number =>
    trackingCode === null ? shard : shardOf(place.advertiserId, traffic.shards);
  let now = days.paidIn;
  await withClock(
    seed.env,
    () => now,
    async ({ activities }) => {
      for (const day of [...days.quiet, ...days.closed]) {
        if (traffic.signal.aborted) throw new Error('the stand is being ended');
        const isQuiet = days.quiet.includes(day);
        now = new Date(day.getTime() + 86_340_000);
        await clock.at(now);
        const settled = async (): Promise<true | undefined> => {
          await activities.settleBatch({ shard });
          return (await readEventBacklog(pool, shard + 1)).waiting === 0 || undefined;
        };
        // What an interrupted run has written of a day is settled, and the day is not written again.
        await until('settled day', settled, { signal: traffic.signal });
        if (await isWritten(pool, shard, day)) continue;
        const visits = isQuiet ? QUIET_VISITS : visitsOf(day);
        const sold = isQuiet ? undefined : async (sales: Sale[]) => await report(traffic, sales);
        await writeDay(day, { visits, shardOf: shardOfPlace, sold });
        await until('settled day', settled, { signal: traffic.signal });
      }
    },
  );
}

async function isWritten(pool: Pool, shard: number, day: Date): Promise<boolean> {
  const { rows } = await pool.query(
    `SELECT FROM events WHERE shard = $1 AND day = ($2::timestamptz AT TIME ZONE 'UTC')::date LIMIT 1`,
    [shard, day],
  );
  return rows.length > 0;
}

interface Reversal {
  id: number;
  status: string;
}

/** The administrator asks, finance agrees. */
async function takeBack(seed: Seed, { quiet }: DemoDays): Promise<void> {
  const { admin, publisher, signal } = seed;
  const day = quiet[TAKEN_BACK_DAY]?.toISOString().slice(0, 10);
  const { items } = await admin.call<Page<Reversal>>('GET', '/reversals');
  const hour = (at: number): string => `${day}T${String(at).padStart(2, '0')}:00:00Z`;
  const [from, untilHour] = TAKEN_BACK_HOURS;
  const { id, status } =
    items[0] ??
    (await admin.call<Reversal>('POST', '/reversals', {
      source: 'TRAFFIC',
      reason: 'INVALID_TRAFFIC',
      note: 'Readers that a partner sent by programs, as it told us itself.',
      publisher_id: (await publisher.call<{ id: number }>('GET', '/auth/profile')).id,
      from: hour(from),
      to: hour(untilHour),
    }));
  if (status !== 'APPLIED')
    await decideTask(seed, { type: 'reversal', id }, { decision: 'approve' });
  const isApplied = async () =>
    (await admin.call<Reversal>('GET', `/reversals/${id}`)).status === 'APPLIED' || undefined;
  await until('events that are taken back', isApplied, { signal });
}
