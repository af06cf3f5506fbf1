import { mkdtempSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { flowConverter } from '../../activities/core/payload-codec.ts';
import { stateOfExecution } from '../../activities/flows/executions.ts';
import { parseKeys } from '../../config-keys.ts';
import { makeOperator } from '../support/make/account.ts';
import { startListener } from '../support/listener.ts';
import { oncePerRun, RUN_FOLDER } from '../support/once.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { pause, until } from '../support/until.ts';
import { bundleForTests } from '../support/workflow-bundle.ts';
import {
  FLOW_SUBJECTS,
  type FlowSubject,
  type FlowWorld,
  tracesOfFlow,
  UNSENT,
} from './flow-subjects.ts';
import { createMoneyWorld, post } from './money-requests.ts';

/**
 * The worker dies between two steps of a flow: `SIGKILL` before a step, or behind its commit and before
 * Temporal has heard (worker/crash-points.ts). It is started again, and the flow has to end as one that
 * nobody disturbed.
 */
export interface CrashStand {
  platform: Platform;
  world: FlowWorld;
  client: Client;
  /** Payments that the sandbox has made. */
  paid(): number;
  close(): Promise<void>;
}

const SITES = 256;
const domainOf = (number: number): string => `proof-${number}.example`;

export async function startCrashStand(env: Record<string, string> = {}): Promise<CrashStand> {
  const proofs = new Map<string, string>();
  const server = await startListener((req, res) => {
    const proof = proofs.get((req.headers.host ?? '').replace(/:\d+$/, ''));
    const isThere = req.url === '/.well-known/adplatform.txt' && proof !== undefined;
    res.writeHead(isThere ? 200 : 404, { 'Content-Type': 'text/plain' }).end(proof);
  });
  const sandbox = mkdtempSync(path.join(tmpdir(), 'payouts-'));
  const hosts = Array.from({ length: SITES }, (_, at) => `${domainOf(at)}=${server.host}`);
  const platform = await startPlatform({
    PAYOUT_SANDBOX_DIR: sandbox,
    WORKFLOW_BUNDLE: await soonLostBundle(),
    // What dies here is what runs in production, flows in threads of their own.
    TEMPORAL_DEBUG: '',
    DEV_HOSTS: hosts.join(','),
    ...env,
  });
  await platform.pool.query(
    `INSERT INTO settings (key, value) VALUES ('payout.cooling_off_seconds', '0')`,
  );
  const money = await createMoneyWorld(platform);
  const world: FlowWorld = {
    ...money,
    placeProof: (token) => {
      const domain = domainOf(proofs.size);
      proofs.set(domain, token);
      return domain;
    },
  };
  const connection = await Connection.connect({ address: platform.temporalAddress });
  const keys = parseKeys('FLOW_KEYS', platform.env['FLOW_KEYS'] ?? '', []);
  const client = new Client({
    connection,
    namespace: platform.namespace,
    ...flowConverter(keys),
  });
  return {
    platform,
    world,
    client,
    paid: () => readdirSync(sandbox).filter((name) => name.endsWith('.json')).length,
    close: async () => {
      await platform.close();
      await connection.close();
      await server.close();
    },
  };
}

/** A worker that was lost is noticed after seconds, where a step has no heartbeat. */
async function soonLostBundle(): Promise<string> {
  const make = async (target: string): Promise<void> => {
    await writeFile(target, await bundleForTests({ sealed: true, soonLost: true }));
  };
  if (process.env[RUN_FOLDER] !== undefined) return await oncePerRun('soon-lost-bundle.js', make);
  const target = path.join(mkdtempSync(path.join(tmpdir(), 'bundle-')), 'bundle.js');
  await make(target);
  return target;
}

export interface CleanFlow {
  name: string;
  /** `readDeposit#1`, in the order in which they were begun. */
  steps: string[];
  traces: unknown;
}

export async function runClean(stand: CrashStand, names: readonly string[]): Promise<CleanFlow[]> {
  const begun: [string, FlowSubject][] = [];
  for (const name of names) begun.push([name, await beginFlow(stand, name)]);
  const operators = startOperators(
    stand,
    begun.map(([, subject]) => subject),
  );
  try {
    const flows: CleanFlow[] = [];
    for (const [name, subject] of begun) {
      await ended(stand, subject);
      const steps = await stepsOf(stand, subject);
      flows.push({ name, steps, traces: await tracesOfFlow(stand.world, subject) });
    }
    return flows;
  } finally {
    await operators.stop();
  }
}

export const beginFlow = async ({ world }: CrashStand, name: string): Promise<FlowSubject> => {
  const make = FLOW_SUBJECTS[name];
  if (make === undefined) throw new Error(`no flow is called ${name}`);
  return await make(world);
};

async function stepsOf({ client }: CrashStand, { workflowId }: FlowSubject): Promise<string[]> {
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  const counts = new Map<string, number>();
  return (history.events ?? []).flatMap(({ activityTaskScheduledEventAttributes: step }) => {
    const name = step?.activityType?.name ?? null;
    if (name === null) return [];
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return [`${name}#${count}`];
  });
}

export interface Strike {
  name: string;
  /** `after:readWithdrawal#2`, of the flow that is begun for it. */
  point: string;
  /** Which flow it ends like, where that is not its own. */
  like?: { name: string; end: unknown };
}

/** Dead before the call: nobody knows, and asking finds nothing. */
export const BEFORE_PROVIDER = {
  point: 'before:provider',
  like: { name: UNSENT, end: 'FAILED' },
};

/** Before and after each of its steps, and around the call that sends money. */
export const strikesOf = ({ name, steps }: CleanFlow): Strike[] =>
  steps.flatMap((step) => [
    { name, point: `before:${step}` },
    ...(step.startsWith('sendPayout#') && name !== UNSENT
      ? [
          { name, ...BEFORE_PROVIDER },
          { name, point: 'after:provider' },
        ]
      : []),
    { name, point: `after:${step}` },
  ]);

export interface Struck extends Strike {
  subject: FlowSubject;
}

/**
 * Each strike in turn, on a worker that is started for it; what was struck before goes on meanwhile.
 * `meanwhile` is called while the worker is dead. Ends with a worker that lives.
 */
export async function strikeAll(
  stand: CrashStand,
  strikes: readonly Strike[],
  meanwhile: (strike: Strike) => Promise<void> = async () => await Promise.resolve(),
): Promise<Struck[]> {
  const { worker } = stand.platform;
  const struck: Struck[] = [];
  const subjects: FlowSubject[] = [];
  const operators = startOperators(stand, subjects);
  try {
    await worker.kill('SIGKILL');
    for (const strike of strikes) {
      // Begun while no worker is there: its first step is the next worker's.
      const subject = await beginFlow(stand, strike.name);
      if (strike.like !== undefined) subject.end = strike.like.end;
      const [when = '', step = ''] = strike.point.split(':');
      worker.launch({ CRASH_AT: `${when}:${subject.workflowId}/${step}` });
      subjects.push(subject);
      const what = `the worker dies ${strike.point} of ${subject.workflowId}`;
      await until({ what, withinMs: 120_000 }, () => !worker.isRunning());
      struck.push({ ...strike, subject });
      await meanwhile(strike);
    }
    await worker.restart();
    for (const { subject } of struck) await ended(stand, subject);
    return struck;
  } finally {
    await operators.stop();
  }
}

const ENDS_WITHIN_MS = 300_000;

/** Raises where it ends otherwise than it should, or not at all. */
export async function ended({ client, world }: CrashStand, subject: FlowSubject): Promise<void> {
  const { workflowId, end } = subject;
  await until({ what: `${workflowId} ends`, withinMs: ENDS_WITHIN_MS }, async () => {
    const state = await stateOfExecution(client, workflowId);
    return state !== 'RUNNING' && state !== 'NONE';
  });
  const result: unknown = await client.workflow.getHandle(workflowId).result();
  if (JSON.stringify(result) !== JSON.stringify(end)) {
    throw new Error(`${workflowId} ended as ${JSON.stringify(result)}`);
  }
  await until(
    { what: `every message of ${workflowId} is delivered`, withinMs: ENDS_WITHIN_MS },
    async () => {
      const { rows } = await world.database.pool.query(
        `SELECT FROM outbox WHERE payload->>'workflowId' = $1 AND done_at IS NULL`,
        [workflowId],
      );
      return rows.length === 0;
    },
  );
}

/** People who answer what they are asked, whatever lives and dies around them. */
export function startOperators(
  stand: CrashStand,
  subjects: readonly FlowSubject[],
): { stop(): Promise<void> } {
  const { world, platform } = stand;
  const { pool, db } = world.database;
  let isOver = false;
  let failure: unknown;
  const asked = subjects.filter(({ decision }) => decision !== null).length;
  const answer = async (): Promise<void> => {
    const reviewer = world.tokenOf('admin', (await makeOperator(db, 'REVIEWER')).id);
    // None of them decides so often that the platform would have them wait.
    const finance = await Promise.all(
      Array.from({ length: 1 + Math.floor(asked / DECISIONS_EACH) }, async () =>
        world.tokenOf('admin', (await makeOperator(db, 'FINANCE')).id),
      ),
    );
    let turn = 0;
    while (!isOver) {
      const { rows } = await pool.query<{ id: string; kind: string; role: string; flow: string }>(
        `SELECT t.id, t.kind, t.required_role AS role, t.workflow_id AS flow FROM tasks t
         WHERE t.status = 'open' AND t.workflow_id = ANY($1) AND NOT EXISTS (
           SELECT FROM task_decisions d WHERE d.task_id = t.id AND d.status = 'PENDING')`,
        [subjects.map(({ workflowId }) => workflowId)],
      );
      await inLanes(rows, async ({ id, kind, role, flow }) => {
        turn += 1;
        const subject = subjects.find(({ workflowId }) => workflowId === flow);
        // Nobody finds that anything was paid.
        const decision = kind === 'payout_unknown' ? 'confirm_failed' : (subject?.decision ?? '');
        const told = await post(platform.baseUrl, {
          path: `/api/admin/tasks/${id}/decision`,
          token: role === 'FINANCE' ? (finance[turn % finance.length] ?? '') : reviewer,
          body: { decision, reasons: decision === 'reject' ? [{ code: 'OTHER' }] : [] },
        });
        // It was decided a moment ago, or they decide too often: they look again.
        const isLater = told.status === 409 || told.status === 429;
        if (told.status >= 300 && !isLater) throw new Error(`task ${id}: ${told.text}`);
      });
      await pause(200, 'people look at their tasks now and then');
    }
  };
  const run = answer().catch((error: unknown) => {
    failure = error;
  });
  return {
    stop: async () => {
      isOver = true;
      await run;
      if (failure !== undefined) throw failure;
    },
  };
}

/** A minute's worth of one operator's decisions. */
const DECISIONS_EACH = 40;
const LANES = 4;

/** All of them, a few at a time. */
async function inLanes<Item>(items: readonly Item[], run: (item: Item) => Promise<void>) {
  const left = [...items];
  const lane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** What differs from a flow that nobody disturbed; empty: nothing does. */
export async function differences(
  stand: CrashStand,
  clean: readonly CleanFlow[],
  struck: readonly Struck[],
): Promise<object[]> {
  const found: object[] = [];
  for (const { name, point, like, subject } of struck) {
    const expected = clean.find((flow) => flow.name === (like?.name ?? name))?.traces;
    const traces = await tracesOfFlow(stand.world, subject);
    if (JSON.stringify(traces) !== JSON.stringify(expected)) {
      found.push({ name, point, traces, expected });
    }
  }
  return found;
}
