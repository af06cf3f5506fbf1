import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { loadSettings } from '../../db/settings.ts';
import { nanos } from '../../db/schema/column.ts';
import { addRows } from '../../db/schema/insert.ts';
import { columnsOf, readRows, select } from '../../db/schema/selection.ts';
import { holdMaturity } from '../../db/queries/maturing.ts';
import { earningsMatured as maturedEarnings } from '../../db/tables/matured-earnings.ts';
import { earningsMatured, type MaturedEarning } from '../../domain/ledger/payout-postings.ts';
import type { ActivityDeps } from '../deps.ts';
import { postEntries } from '../core/ledger.ts';

export interface MaturityReport {
  days: number;
  /** Of publishers and shards, each once per day. */
  earnings: number;
  amountNanos: string;
}

/** Accounts per transaction, so that settlement never waits long for their locks. */
const EARNINGS_PER_BATCH = 500;
const BATCHES_PER_RUN = 1_000;
/**
 * Days that are looked at once more: a settlement that began before midnight may have committed
 * after its day was first looked at.
 */
const DAYS_LOOKED_AGAIN = 2;

export function createMaturityActivities(deps: ActivityDeps) {
  return {
    /**
     * interface 4.12: earnings of every day that is old enough become withdrawable. Set-based and
     * idempotent: what matured is what the day's transfers hold beyond what is recorded as matured,
     * under the day's lock, in the transaction that moves it.
     */
    async matureEarnings(): Promise<MaturityReport> {
      const report = { days: 0, earnings: 0, amountNanos: 0n };
      let batches = 0;
      for (const day of await dueDays(deps)) {
        report.days += 1;
        for (;;) {
          const matured = await matureBatch(deps, day);
          report.earnings += matured.length;
          for (const { amountNanos } of matured) report.amountNanos += amountNanos;
          batches += 1;
          if (matured.length < EARNINGS_PER_BATCH || batches >= BATCHES_PER_RUN) break;
        }
        // The rest is taken by the next round, from this day on.
        if (batches >= BATCHES_PER_RUN) break;
      }
      return { ...report, amountNanos: report.amountNanos.toString() };
    },
  };
}

/** UTC days of settlement whose wait is over, oldest first, from where the last run had come. */
async function dueDays(deps: ActivityDeps): Promise<string[]> {
  const sql = runner(deps.db);
  const settings = await loadSettings(sql);
  const { rows } = await sql.query<{ day: string }>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day FROM generate_series(
       (SELECT COALESCE(
          (SELECT max(day) FROM maturity_days) - ${DAYS_LOOKED_AGAIN},
          (SELECT min(created_at AT TIME ZONE 'UTC')::date FROM ledger_accounts
           WHERE code LIKE 'pub:%:earned:%')))::timestamp,
       (($1::timestamptz AT TIME ZONE 'UTC')::date - $2::int)::timestamp, interval '1 day') AS day
     ORDER BY day`,
    [deps.clock(), settings['payout.maturity_days']],
  );
  return rows.map(({ day }) => day);
}

async function matureBatch(deps: ActivityDeps, day: string): Promise<MaturedEarning[]> {
  return await inTransaction(deps.db, async (tx) => {
    const run = await takeDay(deps, tx, day);
    await holdMaturity(runner(deps.db, tx), [day]);
    const due = await dueOf(deps, tx, day);
    if (due.length === 0) return due;
    await postEntries(deps.db, tx, earningsMatured(day, run, due));
    await addRows(
      runner(deps.db, tx),
      maturedEarnings,
      due.map(({ publisherId, shard, amountNanos }) => ({
        publisherId,
        shard,
        day,
        maturedNanos: amountNanos.toString(),
        reversedNanos: '0',
      })),
    );
    return due;
  });
}

/** Locks the day; its counter names this batch. */
async function takeDay(deps: ActivityDeps, tx: Transaction, day: string): Promise<number> {
  const { rows } = await runner(deps.db, tx).query<{ runs: number }>(
    `INSERT INTO maturity_days AS d (day, runs, looked_at) VALUES ($1::date, 1, $2)
     ON CONFLICT (day) DO UPDATE SET runs = d.runs + 1, looked_at = EXCLUDED.looked_at
     RETURNING runs`,
    [day, deps.clock()],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`day ${day} was not taken`);
  return row.runs;
}

const DUE = select({
  ...columnsOf(maturedEarnings, 'e', ['publisherId', 'shard']),
  amountNanos: nanos().of('(e.nanos - COALESCE(m.matured_nanos + m.reversed_nanos, 0))::bigint'),
});

/** The day's earnings, less what of them has matured or was taken back before. */
async function dueOf(deps: ActivityDeps, tx: Transaction, day: string): Promise<MaturedEarning[]> {
  return await readRows(
    runner(deps.db, tx),
    DUE,
    `WITH earned AS (
       SELECT a.owner_id AS publisher_id, split_part(a.code, ':', 4)::int AS shard,
         sum(t.amount_nanos) AS nanos
       FROM ledger_transfers t JOIN ledger_accounts a ON a.id = t.credit_id
       WHERE t.type IN ('EARNING', 'EARNING_RESTORED')
         AND t.created_at >= $1::date::timestamp AT TIME ZONE 'UTC'
         AND t.created_at < ($1::date + 1)::timestamp AT TIME ZONE 'UTC'
       GROUP BY 1, 2)
     SELECT ${DUE.list}
     FROM earned e LEFT JOIN earnings_matured m
       ON m.publisher_id = e.publisher_id AND m.shard = e.shard AND m.day = $1::date
     WHERE e.nanos > COALESCE(m.matured_nanos + m.reversed_nanos, 0)
     ORDER BY e.publisher_id, e.shard LIMIT $2`,
    [day, EARNINGS_PER_BATCH],
  );
}
