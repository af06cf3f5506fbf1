import { Connection } from '@temporalio/client';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { TASK_QUEUES } from '../../workflows/contracts/queues.ts';

/**
 * A request's garbage dies young: with room for more of it, the collector runs less often over an
 * inventory that stays (measured: with four times Node's own a twentieth to a tenth of an ad request at 10,000
 * campaigns, a third of a small answer). And no more than that: while 100,000 ads are loaded most of it lives, and
 * is copied while nobody is answered (on a slow machine some 80 ms with 64, 40 with 32).
 */
const YOUNG_GENERATION = '--max-semi-space-size=32';

/**
 * As many of V8's threads as there are cores beside the one that answers, instead of always four: on two cores
 * these took that one away while they marked (measured, at 100,000 ads that all change: a step of marking
 * took 22 ms instead of 7, and nobody was answered for 50 instead of 20).
 */
const HELPING_THREADS = '--v8-pool-size=0';

/**
 * Little survives a request, and where much does, as in a load, a helper that waits for a busy core keeps
 * everybody waiting (measured: 45 ms instead of 14 at the most).
 */
const YOUNG_ALONE = '--no-parallel-scavenge';

/** For every program of ours; the image's NODE_OPTIONS and command have the same. */
export const COLLECTOR_FLAGS = [YOUNG_GENERATION, HELPING_THREADS, YOUNG_ALONE] as const;

/**
 * For processes of tests, which end before what is made faster for them has paid: a function is compiled for speed
 * after fifteen times as much of it has run (measured: a twentieth of their processor time).
 */
export const COMPILED_LATE = '--interrupt-budget=1000000';

/**
 * How Node is told to run one of our programs, as written or as built, as a child that ends with its
 * parent.
 */
export function programArguments(root: string, script: string): string[] {
  const loader = script.endsWith('.ts') ? ['--import', 'tsx'] : [];
  return [...COLLECTOR_FLAGS, ...endingWithParent(root), ...loader, path.resolve(root, script)];
}

/** How Node is told that a child ends with its parent, however that ends. */
export const endingWithParent = (root: string): string[] => [
  '--import',
  path.join(root, 'dev/services/end-with-parent.mjs'),
];

/** Fresh keys in the form that config.ts reads. */
export function makeKeys(): Record<string, string> {
  const key = () => randomBytes(32).toString('hex');
  return {
    JWT_KEY_ADVERTISER: key(),
    JWT_KEY_PUBLISHER: key(),
    JWT_KEY_ADMIN: key(),
    TRACK_KEYS: `0:${key()}`,
    HASH_KEY: key(),
    DATA_KEYS: `0:${key()}`,
    DOCUMENT_KEYS: `0:${key()}`,
  };
}

/**
 * The surfaces at one address, as one process serves them; creative assets at a port and under a name of
 * their own where one is given.
 */
export function addressEnv(port: number, cdnPort?: number) {
  const base = `http://127.0.0.1:${port}`;
  return {
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: base,
    TRACK_URL: base,
    SDK_URL: base,
    ...(cdnPort === undefined
      ? { CDN_URL: base }
      : { CDN_URL: `http://localhost:${cdnPort}`, CDN_PORT: String(cdnPort) }),
    TRUSTED_PROXIES: '127.0.0.1/32',
  };
}

/** Whether the API says that it can do its work. */
export async function isReady(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

const WORKFLOW_QUEUE = 1;

/**
 * Whether a worker polls every task queue since `launchedAt`: the server remembers pollers for
 * minutes after they have died.
 */
export async function isPolling(
  temporal: { address: string; namespace: string },
  launchedAt: number,
): Promise<boolean> {
  const { address, namespace } = temporal;
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({ address, connectTimeout: '2s' });
    for (const name of TASK_QUEUES) {
      const { pollers } = await connection.workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name },
        taskQueueType: WORKFLOW_QUEUE,
      });
      const seen = (pollers ?? []).map(
        (poller) => Number(poller.lastAccessTime?.seconds ?? 0) * 1_000,
      );
      if (!seen.some((at) => at >= Math.floor(launchedAt / 1_000) * 1_000)) return false;
    }
    return true;
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}
