import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import type { StandContext } from './context.ts';
import type { Lasting } from './postgres-data.ts';
import { registerNamespace } from './temporal-namespace.ts';
import { findTemporal } from './temporal-binary.ts';
import { StandError } from './progress.ts';
import type { Service } from './service.ts';
import { runPart } from './supervise.ts';

export interface TemporalService extends Service {
  uiUrl: string;
}

const RETENTION_DAYS = 30;

/** TEMPORAL_ADDRESS, else a development server on SQLite; either way with our namespace in it. */
export async function bringTemporal(
  context: StandContext,
  lasts: Lasting,
): Promise<TemporalService> {
  const namespace = context.env['TEMPORAL_NAMESPACE'] ?? 'ads';
  const service = await standing(context, lasts);
  await registerNamespace(service.address, { namespace, retentionDays: RETENTION_DAYS });
  return service;
}

async function standing(context: StandContext, lasts: Lasting): Promise<TemporalService> {
  const given = context.env['TEMPORAL_ADDRESS'];
  if (given === undefined || given === '') return await runOwn(context, lasts);
  if (!(await answers(given))) {
    throw new StandError(`TEMPORAL_ADDRESS is set, but no Temporal server answers there.`);
  }
  const uiUrl = context.env['TEMPORAL_UI_URL'] ?? 'http://127.0.0.1:8233';
  return { address: given, origin: 'from TEMPORAL_ADDRESS', uiUrl };
}

async function runOwn(context: StandContext, lasts: Lasting): Promise<TemporalService> {
  const { records } = context;
  const binary = await findTemporal(context);
  const ports = records.standing('temporal')?.ports;
  const port =
    ports?.['temporal'] ??
    (await context.ports.choose({ variable: 'TEMPORAL_PORT', last: records.lastPort('temporal') }));
  const uiPort =
    ports?.['temporal-ui'] ??
    (await context.ports.choose({
      variable: 'TEMPORAL_UI_PORT',
      last: records.lastPort('temporal-ui'),
    }));
  const folder = path.join(context.dataDir, 'temporal');
  mkdirSync(folder, { recursive: true });
  const address = `127.0.0.1:${port}`;
  const part = await runPart(context, {
    name: 'temporal',
    title: 'Temporal',
    command: binary.file,
    args: [
      ...serverArguments(path.join(folder, `temporal-${binary.version}.db`), port, uiPort),
      ...(lasts === 'RUN' ? dynamicConfig(MANY_NAMESPACES) : []),
    ],
    env: lasts === 'RUN' ? { ...process.env, ...SELDOM_COLLECTED } : process.env,
    cwd: folder,
    logFile: path.join(folder, 'temporal.log'),
    ports: { temporal: port, 'temporal-ui': uiPort },
    isHealthy: () => answers(address),
    healthyWithinMs: 60_000,
    reusable: true,
    end: [
      { signal: 'SIGTERM', waitMs: 10_000 },
      { signal: 'SIGKILL', waitMs: 5_000 },
    ],
  });
  return {
    address,
    origin: `${part.origin}, version ${binary.version}`,
    pid: () => part.pid(),
    uiUrl: `http://127.0.0.1:${uiPort}`,
  };
}

/**
 * WAL with synchronous=NORMAL more than doubles the flows a second and survives a kill -9 of the
 * server. The file is named after the version: such files are not promised to fit another one.
 */
function serverArguments(dbFile: string, port: number, uiPort: number): string[] {
  const flags: [string, string][] = [
    ['--ip', '127.0.0.1'],
    ['--port', String(port)],
    ['--ui-port', String(uiPort)],
    ['--db-filename', dbFile],
    ['--sqlite-pragma', 'journal_mode=WAL'],
    ['--sqlite-pragma', 'synchronous=NORMAL'],
    ['--log-level', 'error'],
  ];
  const eager = dynamicConfig({ 'system.enableActivityEagerExecution': 'true' });
  return ['server', 'start-dev', '--ui-disable-news-fetch', ...flags.flat(), ...eager];
}

/**
 * Tests leave a namespace each behind, with its queues. So a queue has one part instead of four, as every part is
 * looked after for minutes (not where flows are kept: what waits in the other parts would stay there); and queues,
 * parts and builds are not told apart in its figures, which it reports all anew every second, to nobody here.
 */
const MANY_NAMESPACES = {
  'matching.numTaskqueueReadPartitions': '1',
  'matching.numTaskqueueWritePartitions': '1',
  'metrics.breakdownByTaskQueue': 'false',
  'metrics.breakdownByPartition': 'false',
  'metrics.breakdownByBuildID': 'false',
};

/** What stays of hundreds of namespaces is looked through at each collection: fewer of them, in up to so much memory. */
const SELDOM_COLLECTED = { GOGC: '400', GOMEMLIMIT: '2GiB' };

const dynamicConfig = (values: Readonly<Record<string, string>>): string[] =>
  Object.entries(values).flatMap(([name, value]) => ['--dynamic-config-value', `${name}=${value}`]);

async function answers(address: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: '2s' });
    await connection.close();
    return true;
  } catch {
    return false;
  }
}
