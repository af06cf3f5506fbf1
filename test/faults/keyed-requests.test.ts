import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mountedRoutes } from '../../api/openapi/route-list.ts';
import { runBooks } from '../../db/queries/books.ts';
import { until } from '../support/until.ts';
import { createTestApp } from '../support/app.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import {
  createMoneyWorld,
  MONEY_REQUESTS,
  type MoneyRequest,
  type MoneyWorld,
  post,
  type Prepared,
  tracesOf,
} from './money-requests.ts';

/**
 * Kills the process that answers a keyed request at every step of every route that moves money, and
 * repeats the request on another process. A step is discovered by what a run without a crash stores.
 */

/** Keyed routes by which no money moves; a new route is named here or gets its crash test. */
const MOVES_NO_MONEY = [
  'POST /api/admin/approvals/:id/refuse',
  'POST /api/admin/approvals/:id/withdraw',
  'POST /api/admin/factor-recoveries/:id/vouch',
  'POST /api/admin/factor-recoveries/:id/refuse',
  'POST /api/admin/bank-statements/:id/explain',
  'POST /api/admin/operator-invitations',
  'POST /api/admin/operator-invitations/:id/resend',
  'POST /api/admin/operator-invitations/:id/take-back',
  'POST /api/admin/operators/:id/end-sessions',
  'POST /api/admin/operators/:id/suspend',
  'POST /api/admin/operators/:id/restore',
  'POST /api/admin/operators/:id/role',
  'POST /api/admin/advertisers/:id/end-sessions',
  'POST /api/admin/publishers/:id/end-sessions',
  'POST /api/admin/advertisers/:id/restore',
  'POST /api/admin/advertisers/:id/suspend',
  'POST /api/admin/publishers/:id/restore',
  'POST /api/admin/publishers/:id/suspend',
  'POST /api/admin/advertisers/:id/hold-papers',
  'POST /api/admin/advertisers/:id/release-papers',
  'POST /api/admin/publishers/:id/hold-papers',
  'POST /api/admin/publishers/:id/release-papers',
  'POST /api/admin/codec/pass',
  'POST /api/admin/notifications/read',
  'POST /api/admin/inventory/recall',
  'POST /api/admin/inventory/sites/:id/suspend',
  'POST /api/admin/inventory/sites/:id/restore',
  'POST /api/admin/money-terms',
  // The flow moves it, after a second person has approved.
  'POST /api/admin/reversals',
  'POST /api/admin/reversals/:id/cancel',
  'POST /api/admin/report-schedules',
  'POST /api/admin/report-schedules/:id/run',
  'POST /api/admin/saved-views',
  'POST /api/admin/tasks/:id/assign',
  'POST /api/admin/tasks/:id/claim',
  'POST /api/admin/tasks/:id/film',
  'POST /api/admin/tasks/:id/notes',
  'POST /api/admin/tasks/:id/release',
  'POST /api/admin/tasks/claim-next',
  'POST /api/advertiser/adgroups',
  'POST /api/advertiser/adgroups/:id/appeal',
  'POST /api/advertiser/adgroups/:id/submit-audit',
  'POST /api/advertiser/adgroups/bulk',
  'POST /api/advertiser/adgroups/:id/toggle',
  'POST /api/advertiser/ads',
  'POST /api/advertiser/ads/:id/appeal',
  'POST /api/advertiser/ads/:id/submit-audit',
  'POST /api/advertiser/ads/bulk',
  'POST /api/advertiser/ads/:id/toggle',
  'POST /api/advertiser/campaigns',
  'POST /api/advertiser/campaigns/:id/copy',
  'POST /api/advertiser/campaigns/:id/appeal',
  'POST /api/advertiser/campaigns/:id/submit-audit',
  'POST /api/advertiser/campaigns/bulk',
  'POST /api/advertiser/campaigns/:id/toggle',
  'POST /api/advertiser/campaigns/batch-submit-audit',
  'POST /api/advertiser/conversions/:id/approve',
  'POST /api/advertiser/conversions/:id/reject',
  'POST /api/advertiser/conversions/bulk',
  'POST /api/advertiser/creatives',
  'POST /api/advertiser/creatives/:id/appeal',
  'POST /api/advertiser/creatives/:id/submit-audit',
  'POST /api/advertiser/creatives/bulk',
  'POST /api/advertiser/creatives/:id/toggle',
  'POST /api/advertiser/kyc',
  'POST /api/advertiser/media/ai-copy',
  'POST /api/advertiser/media/ai-image',
  'POST /api/advertiser/media/ai-video',
  'POST /api/advertiser/notifications/read',
  'POST /api/advertiser/operations/:id/cancel',
  'POST /api/advertiser/members',
  'POST /api/advertiser/members/:id/resend',
  'POST /api/advertiser/members/:id/end-sessions',
  'POST /api/advertiser/members/:id/suspend',
  'POST /api/advertiser/members/:id/restore',
  'POST /api/advertiser/report-schedules',
  'POST /api/advertiser/report-schedules/:id/run',
  'POST /api/advertiser/saved-views',
  'POST /api/advertiser/trackers',
  'POST /api/advertiser/trackers/:id/postbacks/:postback_id/retry',
  'POST /api/advertiser/trackers/:id/regenerate-code',
  'POST /api/advertiser/trackers/:id/test',
  'POST /api/advertiser/webhooks',
  'POST /api/advertiser/webhooks/:id/deliveries/:delivery_id/resend',
  'POST /api/advertiser/webhooks/:id/rotate-secret',
  'POST /api/advertiser/webhooks/:id/test',
  'POST /api/publisher/kyc',
  'POST /api/publisher/notifications/read',
  'POST /api/publisher/members',
  'POST /api/publisher/members/:id/resend',
  'POST /api/publisher/members/:id/end-sessions',
  'POST /api/publisher/members/:id/suspend',
  'POST /api/publisher/members/:id/restore',
  'POST /api/publisher/report-schedules',
  'POST /api/publisher/report-schedules/:id/run',
  'POST /api/publisher/saved-views',
  'POST /api/publisher/removal-appeals',
  'POST /api/publisher/sites',
  'POST /api/publisher/sites/:id/appeal',
  'POST /api/publisher/sites/:id/submit-audit',
  'POST /api/publisher/sites/:id/toggle',
  'POST /api/publisher/sites/:id/transfer/object',
  'POST /api/publisher/sites/:id/transfer/withdraw',
  'POST /api/publisher/sites/:id/verify',
  'POST /api/publisher/withdrawals/bank-cards',
  'POST /api/publisher/zones',
  'POST /api/publisher/zones/:id/appeal',
  'POST /api/publisher/zones/:id/submit-audit',
  'POST /api/publisher/zones/bulk',
  'POST /api/publisher/zones/:id/toggle',
  'POST /api/publisher/webhooks',
  'POST /api/publisher/webhooks/:id/deliveries/:delivery_id/resend',
  'POST /api/publisher/webhooks/:id/rotate-secret',
  'POST /api/publisher/webhooks/:id/test',
];

/** Two processes are killed at a time: the machines of a test have two processors. */
const LANES = 2;
const BEFORE_ANSWER = 'before:answer.store';

let platform: Platform;
let world: MoneyWorld;
let sandbox: string;
/** Keyed routes as they are mounted, and those of them that a flow answers. */
let keyed: string[];
let asksFlows: Set<string>;

beforeAll(async () => {
  sandbox = mkdtempSync(path.join(tmpdir(), 'payouts-'));
  platform = await startPlatform({ PAYOUT_SANDBOX_DIR: sandbox });
  world = await createMoneyWorld(platform);
  const testApp = await createTestApp(world.database);
  const routes = mountedRoutes(testApp.app)
    .filter(
      ({ method, path: at, contract }) => isKeyed(method, at) && contract?.upload === undefined,
    )
    .map(({ method, path: at, contract }) => ({ name: `${method} ${at}`, contract }));
  await testApp.close();
  keyed = routes.map(({ name }) => name);
  asksFlows = new Set(
    routes
      .filter(({ contract }) => contract?.statuses?.includes(202) === true)
      .map(({ name }) => name),
  );
  await platform.pool.query(
    `INSERT INTO settings (key, value) VALUES ('payout.cooling_off_seconds', '0')`,
  );
}, 90_000);

/** As api/app.ts mounts `idempotency`: behind login and its like. */
const isKeyed = (method: string, at: string): boolean =>
  method === 'POST' && /^\/api\/(advertiser|publisher|admin)\/(?!auth\/)/.test(at);

afterAll(async () => {
  await platform?.close();
  await rm(sandbox, { recursive: true, force: true });
}, 60_000);

/** A flow that has its messages takes its next step well within this. */
const QUIET_MS = 1_000;

interface CleanRun {
  request: MoneyRequest;
  status: number;
  /** As the effects of the request name them, in the order of their commits. */
  steps: string[];
  traces: unknown;
}

/** The request as it is meant to go. */
async function runClean(request: MoneyRequest): Promise<CleanRun> {
  const before = await requestSteps();
  const prepared = await request.prepare(world);
  const told = await post(platform.baseUrl, prepared, randomUUID());
  const own = (await requestSteps()).filter((key) => !before.includes(key));
  const steps = own.map((key) => stepOf(key, prepared));
  return { request, status: told.status, steps, traces: await settledTraces(prepared) };
}

async function requestSteps(): Promise<string[]> {
  const { rows } = await platform.pool.query<{ key: string }>(
    `SELECT key FROM effects WHERE key LIKE 'request:%' ORDER BY created_at`,
  );
  return rows.map(({ key }) => key);
}

/** Once nothing of it changes any more. */
async function settledTraces(prepared: Prepared): Promise<unknown> {
  const subject = await prepared.subject();
  let last = '';
  let since = 0;
  return await until({ what: 'nothing more happens' }, async () => {
    const traces = await tracesOf(world, subject);
    const text = JSON.stringify(traces);
    if (text !== last) since = performance.now();
    last = text;
    const isUnderWay = text.includes(' waits') || text.includes('CONFIRMING');
    return !isUnderWay && performance.now() - since > QUIET_MS ? traces : undefined;
  });
}

const ITEM = ':<item>';

/** One of many is named by its id, which is another in each run. */
function stepOf(key: string, { item }: Prepared): string {
  const step = key.replace(/^request:[0-9a-f]+:/, '');
  return item !== undefined && step.endsWith(`:${item}`)
    ? `${step.slice(0, -`:${item}`.length)}${ITEM}`
    : step;
}

interface Strike {
  clean: CleanRun;
  crashAt: string;
}

/**
 * Before and after each step; and where a flow takes part after the last one (the route may answer
 * 202), when all is done but the answer is not stored.
 */
const strikesOf = (clean: CleanRun): Strike[] =>
  [
    ...clean.steps.flatMap((step) => [`before:${step}`, `after:${step}`]),
    ...(asksFlows.has(clean.request.route) ? [BEFORE_ANSWER] : []),
  ].map((crashAt) => ({ clean, crashAt }));

interface Struck {
  what: string;
  prepared: Prepared;
  traces: unknown;
  /** What the repeat was answered and what was made, and what it should have been. */
  told: object;
  expected: object;
}

async function strike({ clean, crashAt }: Strike): Promise<Struck> {
  const what = `${clean.request.route} (${clean.request.way}) killed ${crashAt}`;
  const preparing = clean.request.prepare(world);
  const here = crashAt.endsWith(ITEM)
    ? crashAt.replace(ITEM, `:${(await preparing).item}`)
    : crashAt;
  const [prepared, victim] = await Promise.all([
    preparing,
    platform.startApi({ SURFACES: 'console', CRASH_AT: here }),
  ]);
  const key = randomUUID();
  await expect(post(victim.baseUrl, prepared, key)).rejects.toThrow('fetch failed');
  await until({ what: `the process dies: ${what}` }, () =>
    Promise.resolve(victim.program.isRunning() ? undefined : true),
  );
  await prepared.meanwhile?.();
  // As a caller that comes back when the key counts as abandoned.
  await platform.pool.query(
    `UPDATE idempotency_keys SET created_at = created_at - interval '61 seconds' WHERE key = $1`,
    [key],
  );
  const repeat = await post(platform.baseUrl, prepared, key);
  const replay = await post(platform.baseUrl, prepared, key);
  const told = {
    what,
    status: repeat.status,
    isReplay: [repeat.isReplay, replay.isReplay],
    text: replay.text,
    made: await prepared.made(),
  };
  const expected = {
    what,
    status: clean.status,
    isReplay: [false, true],
    text: repeat.text,
    made: [repeat.data.items?.[0]?.id ?? repeat.data.id],
  };
  return { what, prepared, traces: clean.traces, told, expected };
}

/** All of them, a few at a time. */
async function inLanes<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = [...items];
  const lane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      results.push(await run(item));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
}

test('route list · every keyed route · has its crash test or moves no money', () => {
  const named = [...new Set(MONEY_REQUESTS.map(({ route }) => route)), ...MOVES_NO_MONEY];
  expect(keyed.toSorted()).toEqual(named.toSorted());
});

test('keyed money request · killed at each of its steps, then repeated · one effect, its own answer', async () => {
  const clean: CleanRun[] = [];
  for (const request of MONEY_REQUESTS) clean.push(await runClean(request));
  // Each stores at least one step, and a route without a step would have no crash to survive.
  expect(clean.filter(({ steps }) => steps.length === 0)).toEqual([]);
  expect(clean.filter(({ status }) => status >= 300)).toEqual([]);

  const struck = await inLanes(clean.flatMap(strikesOf), strike);

  expect(struck.map(({ told }) => told)).toEqual(struck.map(({ expected }) => expected));
  const left = await Promise.all(
    struck.map(async ({ what, prepared }) => [what, await settledTraces(prepared)]),
  );
  expect(left).toEqual(struck.map(({ what, traces }) => [what, traces]));
  expect((await runBooks(platform.pool)).filter((check) => !check.ok)).toEqual([]);
}, 600_000);
