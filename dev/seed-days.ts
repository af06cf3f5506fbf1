import pg from 'pg';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Of traffic, up to today. */
export const TRAFFIC_DAYS = 14;
/** Before the two weeks, in the month that is closed: the demo's first, quiet days. */
const QUIET_FROM = 4;
const QUIET_UNTIL = 14;
/** After the last day of it was settled: a ledger goes forward. */
const TAKEN_BACK_BEFORE_MS = 30_000;

export interface DemoDays {
  /** The last month that has ended and whose documents may be issued: its first instant, and the one after it. */
  monthFrom: Date;
  monthEnd: Date;
  /** When the demo's advertisers paid in, and when something of that month was taken back. */
  paidIn: Date;
  takenBack: Date;
  /** Days of that month with few readers, oldest first; those of the two weeks follow. */
  quiet: Date[];
  /** Of the two weeks, oldest first: those of the closed month, and those that settle now. */
  closed: Date[];
  open: Date[];
}

/** The documents of a month are issued when it has been over for an hour (activities/documents/issue.ts). */
export function demoDays(now: Date): DemoDays {
  const over = new Date(now.getTime() - HOUR_MS);
  const month = (add: number, day = 1, hour = 0): Date =>
    new Date(Date.UTC(over.getUTCFullYear(), over.getUTCMonth() + add, day, hour));
  const monthEnd = month(0);
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const twoWeeks = Array.from(
    { length: TRAFFIC_DAYS + 1 },
    (_, at) => new Date(today - (TRAFFIC_DAYS - at) * DAY_MS),
  );
  const isClosed = (day: Date): boolean => day < monthEnd;
  return {
    monthFrom: month(-1),
    monthEnd,
    paidIn: month(-1, 3, 9),
    takenBack: new Date(monthEnd.getTime() - TAKEN_BACK_BEFORE_MS),
    quiet: Array.from({ length: QUIET_UNTIL - QUIET_FROM + 1 }, (_, at) =>
      month(-1, QUIET_FROM + at),
    ).filter((day) => day.getTime() < today - TRAFFIC_DAYS * DAY_MS),
    closed: twoWeeks.filter(isClosed),
    open: twoWeeks.filter((day) => !isClosed(day)),
  };
}

/** What the database dates by itself, and with what. */
const DATED = {
  ledger_batches: 'clock_timestamp()',
  ledger_transfers: 'clock_timestamp()',
  deposits: 'now()',
  deposit_receipts: 'now()',
} as const;

/** What it is dated with meanwhile. */
export interface SeedClock {
  at(time: Date): Promise<void>;
}

/**
 * For a demo whose month is over on the day it is made: whatever is posted or paid in while `work` runs is dated as
 * the work says, by the database itself. All else is the platform's own doing, under its own rules.
 */
export async function onSeedClock<Result>(
  ownerUrl: string,
  work: (clock: SeedClock) => Promise<Result>,
): Promise<Result> {
  return await asOwner(ownerUrl, async (owner) => {
    const at = async (time: Date): Promise<void> => {
      // A value in a text: whoever inserts has no setting of its own.
      await owner.query(`CREATE OR REPLACE FUNCTION seed_clock() RETURNS timestamptz LANGUAGE sql VOLATILE
        AS $$ SELECT '${time.toISOString()}'::timestamptz $$`);
    };
    await at(new Date());
    try {
      for (const table of Object.keys(DATED)) await dateBy(owner, table, 'seed_clock()');
      return await work({ at });
    } finally {
      await giveBack(owner);
    }
  });
}

/** After a run that was killed: nothing is dated by it any more. */
export async function endSeedClock(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, giveBack);
}

async function giveBack(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ is: boolean }>(
    `SELECT to_regproc('public.seed_clock') IS NOT NULL AS is`,
  );
  if (rows[0]?.is !== true) return;
  for (const [table, own] of Object.entries(DATED)) await dateBy(owner, table, own);
  await owner.query('DROP FUNCTION seed_clock()');
}

const dateBy = async (owner: pg.Client, table: string, by: string): Promise<void> => {
  await owner.query(`ALTER TABLE ${table} ALTER created_at SET DEFAULT ${by}`);
};

/**
 * An account of the ledger is as old as what was first posted to it, and what was paid is paid when it came: both
 * are written by clocks that nobody moves. From then on the month is due.
 */
export async function dateAccounts(ownerUrl: string, before: Date): Promise<void> {
  await asOwner(ownerUrl, async (owner) => {
    await owner.query(
      `UPDATE ledger_accounts a SET created_at = t.first FROM (
         SELECT account_id, min(created_at) AS first FROM (
           SELECT debit_id AS account_id, created_at FROM ledger_transfers
           UNION ALL SELECT credit_id, created_at FROM ledger_transfers) s GROUP BY 1) t
       WHERE a.id = t.account_id AND t.first < $1 AND a.created_at > t.first`,
      [before],
    );
    await owner.query(
      `UPDATE deposits d SET paid_at = r.received_at, updated_at = r.received_at
       FROM deposit_receipts r WHERE r.deposit_id = d.id AND r.state = 'CREDITED' AND d.created_at < $1`,
      [before],
    );
  });
}

async function asOwner<Result>(
  ownerUrl: string,
  work: (owner: pg.Client) => Promise<Result>,
): Promise<Result> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}
