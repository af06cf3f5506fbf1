import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressEnv, isReady, programArguments } from '../../dev/services/platform-processes.ts';
import { freePort } from '../../dev/services/ports.ts';
import type { Platform } from '../support/platform.ts';

const READY_WITHIN_MS = 120_000;
const LAST_WORDS_CHARS = 4_000;

/** One more server on the same database. Throws what it said last when it ends before it is ready. */
export async function startServer(
  script: { root: string; name: string },
  platform: Pick<Platform, 'env'>,
  { children, processes = 1 }: { children: ChildProcess[]; processes?: number },
): Promise<{ url: string; pid: number }> {
  const env = {
    ...platform.env,
    ...addressEnv(await freePort(), await freePort()),
    SERVING_PROCESSES: String(processes),
  };
  const child = spawn(process.execPath, programArguments(script.root, script.name), {
    cwd: script.root,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let words = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      words = (words + chunk.toString()).slice(-LAST_WORDS_CHARS);
    });
  }
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await isReady(env.BASE_URL))) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded || Date.now() > deadline) {
      const how = hasEnded ? 'ended while starting' : 'is not ready in time';
      throw new Error(`${script.name} of ${script.root} ${how}:\n${words}`);
    }
    await sleep(200);
  }
  return { url: env.BASE_URL, pid: child.pid ?? 0 };
}
