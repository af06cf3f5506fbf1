import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createClient } from 'redis';
import type { StandContext } from './context.ts';
import { canInstallPackages, findBinary, installPackages } from './install.ts';
import { StandError } from './progress.ts';
import type { Service } from './service.ts';
import { runPart } from './supervise.ts';

const BINARIES = ['redis-server', 'valkey-server'];

/** REDIS_URL, else a local binary, else Debian's package. Nothing is persisted: nothing may matter. */
export async function bringRedis(context: StandContext): Promise<Service> {
  const given = context.env['REDIS_URL'];
  if (given !== undefined && given !== '') {
    if (!(await answers(given)))
      throw new StandError(`REDIS_URL is set, but nothing answers there.`);
    return { address: given, origin: 'from REDIS_URL' };
  }
  const binary = await findRedis(context);
  const standing = context.records.standing('redis')?.ports['redis'];
  const port =
    standing ??
    (await context.ports.choose({
      variable: 'REDIS_PORT',
      last: context.records.lastPort('redis'),
    }));
  const folder = path.join(context.dataDir, 'redis');
  mkdirSync(folder, { recursive: true });
  const url = `redis://127.0.0.1:${port}`;
  const part = await runPart(context, {
    name: 'redis',
    title: 'Redis',
    command: binary,
    args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    cwd: folder,
    logFile: path.join(folder, 'redis.log'),
    ports: { redis: port },
    isHealthy: () => answers(url),
    healthyWithinMs: 15_000,
    reusable: true,
    end: [
      { signal: 'SIGTERM', waitMs: 5_000 },
      { signal: 'SIGKILL', waitMs: 5_000 },
    ],
  });
  return { address: url, origin: part.origin, pid: () => part.pid() };
}

async function findRedis(context: StandContext): Promise<string> {
  const found = findBinary(BINARIES, context.env);
  if (found !== undefined) return found;
  const why = canInstallPackages(context.env)
    ? await installPackages(['redis-server'], context)
    : 'packages can be installed by root with apt-get only';
  const installed = findBinary(BINARIES, context.env);
  if (installed !== undefined) return installed;
  throw new StandError(
    `Redis is missing (${why}). Install redis-server (Debian, Ubuntu: apt-get install redis-server; ` +
      'macOS: brew install redis), or set REDIS_URL.',
  );
}

async function answers(url: string): Promise<boolean> {
  const client = createClient({ url, socket: { connectTimeout: 1_000, reconnectStrategy: false } });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
    return true;
  } catch {
    return false;
  } finally {
    if (client.isOpen) client.destroy();
  }
}
