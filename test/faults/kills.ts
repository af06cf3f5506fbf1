import { setTimeout as sleep } from 'node:timers/promises';
import { createTrackSealer } from '../../domain/tracking/track-id.ts';
import { runBooks } from '../../db/queries/books.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { seedInventory } from '../support/bulk-inventory.ts';
import { isReady, killService } from './services.ts';
import { findViolations, loadStored } from './check.ts';
import { startTraffic, type Traffic } from './traffic.ts';
import { until } from '../support/until.ts';
import { ApiClient } from '../support/call.ts';

/**
 * `npm run faults -- kills`: one part after the other dies under a small load, then it is counted. Seeded
 * by FAULT_SEED (printed), FAULT_ROUNDS times each.
 */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 3);
const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 100_000);
const PEOPLE = 6;
const PASSWORD = 'a-fault-is-no-excuse-7';
type Victim = 'api' | 'worker' | 'temporal' | 'postgres';
const VICTIMS: Victim[] = ['api', 'worker', 'temporal', 'postgres'];

/** A small deterministic generator, so that a run can be repeated by its seed. */
let state = SEED;
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};

interface FaultRow {
  victim: Victim;
  /** From the kill until an ad request was answered again. */
  servingAwayMs: number;
  /** From the kill until the killed part could do its work again. */
  backMs: number;
}

/** Answers whether everything held. */
export async function runKills(): Promise<boolean> {
  const platform = await startPlatform();
  try {
    return await run(platform);
  } finally {
    await platform.close();
  }
}

async function run(on: Platform): Promise<boolean> {
  console.log(`seed ${SEED}, ${ROUNDS} rounds of ${VICTIMS.join(', ')}`);
  const { zoneKeys } = await seedInventory(on.pool, 200, 20);
  await on.api.kill('SIGTERM');
  await on.api.restart();
  const flows = await startDeposits(on);
  const sealer = createTrackSealer(trackKeysOf(on));
  const traffic = startTraffic({ baseUrl: on.baseUrl, zoneKeys, sealer, people: PEOPLE });
  const rows: FaultRow[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const victim of VICTIMS) {
      await sleep(1_500 + random() * 2_500);
      rows.push(await strike(on, traffic, victim));
    }
  }
  await sleep(3_000);
  await traffic.stop();
  await flows.stop();
  return await judge(on, traffic, { rows, flows });
}

async function strike(on: Platform, traffic: Traffic, victim: Victim): Promise<FaultRow> {
  const killedAt = Date.now();
  if (victim === 'api' || victim === 'worker') {
    await on[victim].kill('SIGKILL');
    // What a supervisor does in production; nothing else is done by hand.
    await on[victim].restart();
  } else await killService(victim);
  await until(
    { what: `the platform is ready after ${victim}`, withinMs: 60_000 },
    async () => await isReady(on.baseUrl),
  );
  const backMs = Date.now() - killedAt;
  await until(
    { what: 'an ad is served again', withinMs: 30_000 },
    () => traffic.lastAnsweredAt > killedAt,
  );
  const row = { victim, servingAwayMs: traffic.lastAnsweredAt - killedAt, backMs };
  console.log(`${victim} killed: ready after ${row.backMs} ms`);
  return row;
}

interface Evidence {
  rows: FaultRow[];
  flows: DepositFlows;
}

async function judge(on: Platform, traffic: Traffic, { rows, flows }: Evidence): Promise<boolean> {
  await until({ what: 'settlement has caught up', withinMs: 60_000 }, async () => {
    const { rows: counts } = await on.pool.query<{ inbox: string; judged: string }>(
      'SELECT (SELECT count(*) FROM event_inbox) AS inbox, (SELECT count(*) FROM events) AS judged',
    );
    return counts[0]?.inbox === counts[0]?.judged;
  });
  const sold = traffic.reports.filter((each) => each.kind === 'conversion' && each.answered).length;
  await until({ what: `${sold} answered conversions are recorded`, withinMs: 60_000 }, async () => {
    const { rows: counts } = await on.pool.query<{ kept: number }>(
      'SELECT count(*)::int AS kept FROM conversions',
    );
    return (counts[0]?.kept ?? 0) >= sold;
  });
  const unpaid = await flows.unpaid();
  const stored = await loadStored(on.pool);
  const violations = findViolations(traffic.reports, stored);
  const broken = (await runBooks(on.pool)).filter((check) => !check.ok);
  const answered = traffic.reports.filter((report) => report.answered).length;
  const billed = stored.reduce((sum, row) => sum + Number(row.billed), 0);
  const kinds = new Map<string, number>();
  for (const { kind, stored: times } of stored) {
    kinds.set(kind, (kinds.get(kind) ?? 0) + Number(times));
  }

  console.log('\n| killed | times | ready again ms |\n|---|---|---|');
  for (const victim of VICTIMS) {
    const times = rows.filter((row) => row.victim === victim).map((row) => row.backMs);
    console.log(`| ${victim} | ${times.length} | ${times.join(', ')} |`);
  }
  console.log(
    `\nreported ${traffic.reports.length}, answered ${answered}, stored ${stored.length}, counted as valid ${billed}`,
  );
  console.log(`of each kind: ${JSON.stringify(Object.fromEntries(kinds))}`);
  console.log(`unanswered requests: ${JSON.stringify(traffic.unanswered)}`);
  console.log(`deposits ordered and received ${flows.ordered()}, not yet paid ${unpaid.length}`);
  for (const violation of [...violations, ...unpaid]) console.error(`VIOLATION ${violation}`);
  for (const check of broken) console.error(`BOOKS ${check.name}: ${check.figure} ${check.detail}`);
  const control = await negativeControl(on, traffic);
  console.log(
    `negative control: a deleted event and a changed price are ${control ? 'caught' : 'MISSED'}`,
  );
  const well = violations.length === 0 && broken.length === 0 && unpaid.length === 0 && control;
  console.log(well ? '0 violations' : 'VIOLATIONS FOUND');
  return well;
}

/** The checkers see a planted fault; rolled back, so that the database stays as it was. */
async function negativeControl(on: Platform, traffic: Traffic): Promise<boolean> {
  const client = await on.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `DELETE FROM events WHERE (day, id) IN (SELECT day, id FROM events WHERE kind = 'impression' AND billable AND price_nanos > 0 LIMIT 1)`,
    );
    const lost = findViolations(traffic.reports, await loadStored(client)).length > 0;
    const unbalanced = (await runBooks(client)).some((check) => !check.ok);
    return lost && unbalanced;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

interface DepositFlows {
  ordered(): number;
  stop(): Promise<void>;
  /** Orders whose receipt was accepted but that did not become PAID. */
  unpaid(): Promise<string[]>;
}

/** An advertiser keeps ordering and finance keeps receiving while parts die: flows must get through. */
async function startDeposits(on: Platform): Promise<DepositFlows> {
  const operators = await on.createOperators(PASSWORD);
  const finance = await new ApiClient(`${on.baseUrl}/api/admin`).login(operators.FINANCE, PASSWORD);
  const advertiser = new ApiClient(`${on.baseUrl}/api/advertiser`);
  const registered = await advertiser.must<{ token: string }>('POST', '/auth/register', {
    email: 'faults@example.com',
    password: PASSWORD,
    company_name: 'Faults Ltd',
    contact_name: 'F',
  });
  advertiser.token = registered.token;
  const received: number[] = [];
  let stopped = false;
  const loop = (async () => {
    for (let n = 0; !stopped; n += 1) {
      await sleep(1_500);
      try {
        const order = await advertiser.must<{ id: number }>('POST', '/deposits', {
          amount: 25,
          payment_method: 'BANK',
        });
        await finance.must('POST', `/deposits/${order.id}/receipts`, {
          amount: 25,
          reference: `FAULT-${n}`,
        });
        received.push(order.id);
      } catch (error) {
        // A refused or cut call while a part is away: nothing was promised, so nothing is owed.
        if (!(error instanceof Error)) throw error;
      }
    }
  })();
  return {
    ordered: () => received.length,
    stop: async () => {
      stopped = true;
      await loop;
    },
    unpaid: async () => {
      const statusOf = async (id: number): Promise<string> =>
        (await advertiser.must<{ status: string }>('GET', `/deposits/${id}`)).status;
      const late: string[] = [];
      for (const id of received) {
        try {
          await until(
            { what: `deposit ${id} is paid`, withinMs: 60_000 },
            async () => (await statusOf(id)) === 'PAID',
          );
        } catch (error) {
          late.push(`deposit ${id} is ${await statusOf(id)}: ${String(error)}`);
        }
      }
      return late;
    },
  };
}

function trackKeysOf(on: Platform): { id: number; secret: Buffer }[] {
  return (on.env['TRACK_KEYS'] ?? '').split(',').map((item) => {
    const [id = '0', hex = ''] = item.split(':');
    return { id: Number(id), secret: Buffer.from(hex, 'hex') };
  });
}
