import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { addressAs, roleOf } from '../db/application-role.ts';
import { migrate } from '../db/migrate.ts';
import { buildWeb } from '../web/build.ts';
import { bundleAll, copyWeb, runPrograms } from './programs.ts';
import { gather, type Seed, seedDemo } from './seed.ts';
import { endSeedClock } from './seed-days.ts';
import { SHORT_WAITS, shortenWaits } from './short-waits.ts';
import type { DemoAccounts } from './seed-accounts.ts';
import { loadSecrets } from './secrets.ts';
import type { StandContext } from './services/context.ts';
import { createDatabase } from './services/postgres.ts';
import { isReady } from './services/platform-processes.ts';
import { processBegun } from './services/processes.ts';
import { StandError } from './services/progress.ts';
import { isRecord, parse, writeJson } from './services/records.ts';
import { bringServices } from './services/services.ts';
import { EXIT_INTERRUPTED, runVerb } from './services/verb.ts';

/**
 * `npm start`: the whole platform on this machine, from nothing to a served ad. Ends with Ctrl-C and
 * leaves its data in .data/. A second one beside it shows the first one's addresses.
 */
interface Stand {
  base_url: string;
  track_url: string;
  sdk_url: string;
  cdn_url: string;
  console_url: string;
  demo_url: string;
  temporal_ui_url: string;
  /** The application's role; the owner's may do everything. */
  postgres_url: string;
  postgres_owner_url: string;
  redis_url: string;
  temporal_address: string;
  accounts: DemoAccounts;
  zone_key: string;
}

/** So many migrations are told by name. */
const NAMED_MAX = 5;

await runVerb({ folder: '', whenOwned: attach }, async (context) => {
  rmSync(standFile(context), { force: true });
  const { stand, seed } = await standUp(context);
  writeJson(standFile(context), stand);
  show(context, stand);
  context.progress.say(SHORT_WAITS);
  context.progress.say('Ready. Ctrl-C ends it; the data stays in .data/.');
  const enlivened = enliven(context, seed);
  await untilEnded(context);
  await enlivened;
  rmSync(standFile(context), { force: true });
  return 0;
});

async function standUp(context: StandContext): Promise<{ stand: Stand; seed: Seed }> {
  const { progress, dataDir } = context;
  mkdirSync(path.join(dataDir, 'logs'), { recursive: true });
  const [services, bundles] = await Promise.all([
    bringServices(context, { lasts: 'POWER_CUT' }),
    progress.whenSlow('putting the programs together', async () => await bundleAll(context)),
    progress.whenSlow(
      'building the consoles, once per change',
      async () => await copyWeb(context, await buildWeb()),
    ),
  ]);
  const secrets = loadSecrets(dataDir);
  const ownerUrl = await createDatabase(services.postgres.address, 'adplatform');
  const postgresUrl = applicationUrl(context, ownerUrl, secrets.databasePassword);
  const applied = await progress.whenSlow(
    'bringing the schema up to date',
    async () => await migrate(ownerUrl, postgresUrl),
  );
  progress.say(appliedInWords(applied));
  await shortenWaits(ownerUrl);
  await endSeedClock(ownerUrl);
  const programs = await runPrograms(context, {
    bundles,
    services,
    postgresUrl,
    keys: secrets.keys,
  });
  progress.say('API, worker and demo site run; setting up the demo');
  const told = {};
  const seed = await gather({
    ...programs,
    tellSite: (state) => writeJson(programs.demoState, Object.assign(told, state)),
    postgresUrl,
    ownerUrl,
    accounts: secrets.accounts,
    say: (text) => progress.say(text),
    signal: context.signal,
  });
  const zoneKey = await seedDemo(seed);
  const { baseUrl, cdnUrl, demoUrl } = programs;
  const stand = {
    base_url: baseUrl,
    track_url: baseUrl,
    sdk_url: baseUrl,
    cdn_url: cdnUrl,
    console_url: `${baseUrl}/console`,
    demo_url: demoUrl,
    temporal_ui_url: `${services.temporal.uiUrl}/namespaces/${context.env['TEMPORAL_NAMESPACE'] ?? 'ads'}/workflows`,
    postgres_url: postgresUrl,
    postgres_owner_url: ownerUrl,
    redis_url: services.redis.address,
    temporal_address: services.temporal.address,
    accounts: secrets.accounts,
    zone_key: zoneKey,
  };
  return { stand, seed };
}

/**
 * API and worker have a role of their own, named after the database. Where the environment names both roles
 * of a server elsewhere, POSTGRES_URL is the application's.
 */
function applicationUrl({ env }: StandContext, ownerUrl: string, password: string): string {
  const given = env['POSTGRES_URL'];
  if (given !== undefined && env['POSTGRES_OWNER_URL'] !== undefined)
    return addressAs(ownerUrl, roleOf(given));
  const database = decodeURIComponent(new URL(ownerUrl).pathname.slice(1));
  return addressAs(ownerUrl, { name: `${database}_app`, password });
}

/** After the demo can be used: what makes its consoles look as in a busy week. */
async function enliven(context: StandContext, seed: Seed): Promise<void> {
  const { progress, dataDir, signal } = context;
  try {
    // They bring half of the platform with them, which the demo itself does without.
    const { seedMarket } = await import('./seed-market.ts');
    const { seedMonth, seedReceipts } = await import('./seed-month.ts');
    const { seedTraffic } = await import('./seed-traffic.ts');
    const { seedMoney } = await import('./seed-money.ts');
    const { seedOffice } = await import('./seed-office.ts');
    await seedMarket(seed);
    const { postgresUrl, env } = seed;
    const shards = Number(context.env['SHARDS'] ?? 1);
    const traffic = { postgresUrl, env, dataDir, shards, signal };
    if (await seedMonth(seed, traffic))
      progress.say('the month before is closed, with its statements and invoices');
    const written = await seedTraffic(traffic);
    if (written > 0)
      progress.say(`two weeks of traffic are written (${written} events); it settles`);
    await seedMoney(seed);
    await seedOffice(seed);
    await seedReceipts(seed);
    progress.say('the demo is complete');
  } catch (error) {
    // The demo itself stands; a stand that is being ended refuses what is still asked of it.
    if (!signal.aborted) progress.say(`The consoles stay emptier than meant: ${String(error)}`);
  }
}

/** A new database takes all of the migrations: their names would fill the terminal. */
function appliedInWords(applied: readonly string[]): string {
  if (applied.length === 0) return 'schema is up to date';
  if (applied.length <= NAMED_MAX) return `schema: applied ${applied.join(', ')}`;
  return `schema: applied ${applied.length} migrations, the last is ${applied.at(-1)}`;
}

/** Another process owns this stand: show what it made, and end nothing. */
async function attach(context: StandContext, ownerPid: number): Promise<number> {
  const { progress, signal } = context;
  progress.say(`This stand is run by process ${ownerPid} already; waiting until it is ready.`);
  const begun = processBegun(ownerPid);
  const alive = () => processBegun(ownerPid) === begun;
  let shown = false;
  while (alive() && !signal.aborted) {
    const stand = shown ? undefined : readStand(context);
    if (stand && (await isReady(stand.base_url))) {
      show(context, stand);
      progress.say(
        `Ctrl-C here ends only this view; process ${ownerPid} keeps the platform running.`,
      );
      shown = true;
    }
    await delay(300);
  }
  if (signal.aborted) return shown ? 0 : EXIT_INTERRUPTED;
  throw new StandError(
    `Process ${ownerPid}, which ran this stand, has ended. Start again to run it here.`,
  );
}

async function untilEnded(context: StandContext): Promise<void> {
  while (!context.signal.aborted) await delay(200);
}

function standFile(context: StandContext): string {
  return path.join(context.dataDir, 'stand.json');
}

function readStand(context: StandContext): Stand | undefined {
  return parse(standFile(context), (value): value is Stand => {
    return isRecord(value) && typeof value['base_url'] === 'string' && isRecord(value['accounts']);
  });
}

function show(context: StandContext, stand: Stand): void {
  const consoles = ['advertiser', 'publisher', 'operator'];
  const { advertiser, publisher, ...operators } = stand.accounts;
  const rows: [string, string][] = [
    ['Console', stand.console_url],
    ...[advertiser, publisher, ...Object.values(operators)].map(
      ({ username, password }, index): [string, string] => [
        username,
        `${password.padEnd(14)} at ${stand.console_url}/${consoles[Math.min(index, 2)]}`,
      ],
    ),
    ['Demo page', `${stand.demo_url}, with a page for each type of zone as they are made`],
    ['API', stand.base_url],
    ['Temporal', stand.temporal_ui_url],
    ['PostgreSQL', stand.postgres_owner_url],
    ['Redis', stand.redis_url],
    ['Zone', stand.zone_key],
    ['All of it', path.relative(context.root, standFile(context))],
  ];
  const lines = rows.map(([name, value]) => `  ${name.padEnd(12)} ${value}`);
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}
