import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { flowConverter } from '../../activities/core/payload-codec.ts';
import { stateOfExecution } from '../../activities/flows/executions.ts';
import { parseKeys } from '../../config-keys.ts';
import { startListener } from '../support/listener.ts';
import { startTestSandboxes } from '../support/sandboxes.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { until } from '../support/until.ts';
import { soonLostBundle } from '../support/workflow-bundle.ts';
import { FLOW_SUBJECTS, type FlowSubject, type FlowWorld, tracesOfFlow } from './flow-subjects.ts';
import { createMoneyWorld } from './money-requests.ts';
import { startOperators } from './people.ts';

/**
 * The worker dies between two steps of a flow: `SIGKILL` before a step, or behind its commit and before
 * Temporal has heard (worker/crash-points.ts). It is started again, and the flow has to end as one that
 * nobody disturbed.
 */
export interface CrashStand {
  platform: Platform;
  world: FlowWorld;
  client: Client;
  /** Where the sandbox keeps a file of each payment. */
  payments: string;
  /** Payments that the sandbox has made. */
  paid(): number;
  /** How often the wallet has sent money back, of each payment. */
  refunds(): number[];
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
  const wallets = await startTestSandboxes();
  const { desk } = wallets.alipay;
  // What pays out stays the sandbox of files.
  const wallet = Object.entries(wallets.env).filter(([name]) => name.startsWith('ALIPAY_'));
  const hosts = Array.from({ length: SITES }, (_, at) => `${domainOf(at)}=${server.host}`);
  const platform = await startPlatform({
    ...Object.fromEntries(wallet),
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
    payByWallet: (orderNo, transaction, amount) => {
      const order = { orderNo, total: BigInt(amount) * 100n, currency: 'CNY', title: '' };
      const trade = desk.open({ ...order, notifyUrl: '', expiresAt: null });
      desk.pay(orderNo);
      Object.assign(trade ?? {}, { transaction });
    },
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
    payments: sandbox,
    paid: () => readdirSync(sandbox).filter((name) => name.endsWith('.json')).length,
    refunds: () => [...desk.trades.values()].map(({ refunds }) => refunds.size),
    close: async () => {
      await platform.close();
      await connection.close();
      await server.close();
      await wallets.close();
    },
  };
}

export interface CleanFlow {
  name: string;
  /** `readDeposit#1`, in the order in which they were begun. */
  steps: string[];
  traces: unknown;
}

export async function runClean(stand: CrashStand, names: readonly string[]): Promise<CleanFlow[]> {
  const begun: [string, FlowSubject][] = [];
  const { worker } = stand.platform;
  // As flows that are struck: each has its first step when all that is to happen to it has, and so many laps.
  await worker.kill('SIGTERM');
  for (const name of names) begun.push([name, await beginFlow(stand, name)]);
  await worker.restart();
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
