import { readdirSync, readFileSync } from 'node:fs';
import { runBooks } from '../../db/queries/books.ts';
import { freePort } from '../../dev/services/ports.ts';
import { eventually } from '../support/until.ts';
import { beginFlow, type CrashStand, runClean, startCrashStand } from './flow-crashes.ts';
import { BY_WALLET } from './flow-subjects.ts';
import { plantFaults } from './planted.ts';
import { BEFORE_PROVIDER, differences, isAskedAgain, type Strike, strikeAll } from './strikes.ts';

/** The short form of what `npm run faults` does at every step of every flow. */
const STRIKES: readonly Strike[] = [
  // Sending has no second try, so that its loss is noticed last.
  { name: 'withdrawal that is paid', point: 'after:provider' },
  { name: 'withdrawal that is paid', ...BEFORE_PROVIDER },
  { name: BY_WALLET, point: 'after:provider' },
  { name: 'withdrawal that is paid', point: 'after:beginPayout#1' },
  { name: 'withdrawal that is refused', point: 'after:applyWithdrawalDecision#1' },
  { name: 'deposit of another amount', point: 'after:applyDepositDecision#1' },
  { name: 'deposit of the ordered amount', point: 'after:confirmReceipt#1' },
  { name: 'review', point: 'after:applyReviewOutcome#1' },
  { name: 'kyc', point: 'after:openKycTask#1' },
  { name: 'verification', point: 'after:checkSite#1' },
];

let stand: CrashStand;
beforeAll(async () => {
  stand = await startCrashStand();
}, 240_000);
afterAll(async () => {
  await stand?.close();
}, 60_000);

test('a worker that dies between two steps · of each flow · the same end, once', async () => {
  const names = [...new Set(STRIKES.flatMap(({ name, like }) => [name, like?.name ?? name]))];
  const clean = await runClean(stand, names);
  const paidBefore = stand.paid();

  const struck = await strikeAll(stand, STRIKES);

  expect(await differences(stand, clean, struck)).toEqual([]);
  const paid = struck.filter(
    ({ subject }) => subject.type === 'withdrawal' && subject.end === 'PAID',
  );
  expect(stand.paid() - paidBefore).toBe(paid.length);
  // One that was left alone, and one that was struck.
  expect(stand.refunds()).toEqual([1, 1]);
  expect((await runBooks(stand.platform.pool)).filter(({ ok }) => !ok)).toEqual([]);
}, 900_000);

test('faults that are planted · news told twice, a payment made twice · are found', async () => {
  const names = ['withdrawal that is paid', 'deposit of the ordered amount'];
  const clean = await runClean(stand, names);
  const paidBefore = stand.paid();
  const takeBack = await plantFaults(stand);
  try {
    const struck = await strikeAll(stand, [
      { name: 'withdrawal that is paid', point: 'after:beginPayout#1' },
      { name: 'deposit of the ordered amount', point: 'after:confirmReceipt#1' },
    ]);
    const found = await differences(stand, clean, struck);
    expect(found.filter((each) => !isAskedAgain(each)).map(({ name }) => name)).toEqual([
      'withdrawal that is paid',
    ]);
    expect(stand.paid() - paidBefore).toBe(2);
  } finally {
    await takeBack();
  }
}, 240_000);

test('the figures that rules and the dashboard name · are those that a worker says of itself', async () => {
  const { worker } = stand.platform;
  await worker.kill('SIGTERM');
  const port = await freePort();
  worker.launch({ METRICS_PORT: String(port) });
  // A flow that this build does not have: its code fails, as an alert says.
  await stand.client.workflow.start('noSuchWorkflow', {
    taskQueue: 'review',
    workflowId: 'astray',
  });
  await beginFlow(stand, 'review');
  const named = [
    'ops/prometheus/alerts.yml',
    ...readdirSync('ops/grafana/dashboards').map((file) => `ops/grafana/dashboards/${file}`),
  ].flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\b(?:adp|temporal)_\w+/g)]);
  // What an API process says of itself: test/metrics.
  const own = named
    .map(([name]) => name)
    .filter((name) => !/^adp_(http|spool|event_log|auctions|datacenter)_/.test(name));
  expect(own.length).toBeGreaterThan(10);
  await eventually({ withinMs: 180_000 }, async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const said = new Set([...text.matchAll(/^(\w+)(?:\{| )/gm)].map(([, name]) => name));
    expect(own.filter((name) => !said.has(name))).toEqual([]);
  });
}, 240_000);
