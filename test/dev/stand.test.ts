import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { loadConfig } from '../../config.ts';
import { makeSandboxKeys } from '../../dev/sandboxes/stand.ts';
import { platformEnv } from '../../dev/programs.ts';
import { findChromium } from '../../dev/services/chromium.ts';
import { openContext, type StandContext, stopParts } from '../../dev/services/context.ts';
import { makeKeys } from '../../dev/services/platform-processes.ts';
import { createPortChooser, freePort, isFree } from '../../dev/services/ports.ts';
import { endProcess, isRunning, processBegun, runCommand } from '../../dev/services/processes.ts';
import { createProgress } from '../../dev/services/progress.ts';
import { openRecords } from '../../dev/services/records.ts';
import { bringRedis } from '../../dev/services/redis.ts';
import { type PartPlan, runPart } from '../../dev/services/supervise.ts';
import { bringTemporal } from '../../dev/services/temporal.ts';

let folder: string;
let said: string[];
const cleanups: (() => Promise<void>)[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'stand-'));
  said = [];
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  rmSync(folder, { recursive: true, force: true });
});

function stand(env: NodeJS.ProcessEnv = {}, signal = new AbortController().signal): StandContext {
  const context = openContext({
    root: process.cwd(),
    dataDir: folder,
    // Nothing on the PATH: whatever is found was named by the test.
    env: { PATH: path.join(folder, 'bin'), HOME: folder, ADPLATFORM_CACHE: folder, ...env },
    signal,
    progress: createProgress((line) => said.push(line)),
  });
  cleanups.push(() => stopParts(context));
  return context;
}

function sleeper(): ChildProcess {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  cleanups.push(async () => {
    child.kill('SIGKILL');
    await Promise.resolve();
  });
  return child;
}

async function occupy(port: number): Promise<void> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  cleanups.push(() => new Promise((resolve) => server.close(() => resolve())));
}

describe('ports', () => {
  test('choose · the last one is free · the same again', async () => {
    const last = await freePort();
    expect(await createPortChooser({}).choose({ variable: 'P', last })).toBe(last);
  });

  test('choose · the last and the usual one are taken · another, free one', async () => {
    const [last, usual] = [await freePort(), await freePort()];
    await Promise.all([occupy(last), occupy(usual)]);
    const port = await createPortChooser({}).choose({ variable: 'P', last, usual });
    expect([last, usual]).not.toContain(port);
    expect(await isFree(port)).toBe(true);
  });

  test('choose · twice with the same wish · two ports', async () => {
    const last = await freePort();
    const ports = createPortChooser({});
    const first = await ports.choose({ variable: 'P', last });
    expect(await ports.choose({ variable: 'Q', last })).not.toBe(first);
  });

  test('choose · the environment names one that is taken · refused by name', async () => {
    const port = await freePort();
    await occupy(port);
    const ports = createPortChooser({ P: String(port), Q: 'http' });
    await expect(ports.choose({ variable: 'P', last: undefined })).rejects.toThrow(
      `Port ${port} (P) is in use`,
    );
    await expect(ports.choose({ variable: 'Q', last: undefined })).rejects.toThrow('is not a port');
  });
});

describe('processes', () => {
  test('identity · the pid belongs to another process now · not running, and not ended', async () => {
    const child = sleeper();
    const pid = child.pid ?? 0;
    const stale = { pid, begun: 'long ago' };
    expect(isRunning(stale)).toBe(false);
    await endProcess(stale);
    expect(processBegun(pid)).toBeDefined();
  });

  test('endProcess · the process ignores SIGTERM · killed in the next step', async () => {
    const child = spawn(process.execPath, [
      '-e',
      "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)",
    ]);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const identity = { pid: child.pid ?? 0, begun: processBegun(child.pid ?? 0) ?? '' };
    await endProcess(identity, [
      { signal: 'SIGTERM', waitMs: 200 },
      { signal: 'SIGKILL', waitMs: 5_000 },
    ]);
    expect(isRunning(identity)).toBe(false);
  });
});

describe('records', () => {
  test('claim · a living process owns the stand · its pid; after it has gone · mine', async () => {
    const owner = sleeper();
    await new Promise((resolve) => owner.once('spawn', resolve));
    const pid = owner.pid ?? 0;
    const records = openRecords(folder);
    writeFileSync(
      path.join(folder, 'owner.json'),
      JSON.stringify({ pid, begun: processBegun(pid) }),
    );
    expect(records.claim()?.pid).toBe(pid);
    owner.kill('SIGKILL');
    await new Promise((resolve) => owner.once('exit', resolve));
    expect(records.claim()).toBeUndefined();
    expect(openRecords(folder).claim()?.pid).toBe(process.pid);
    records.release();
    expect(existsSync(path.join(folder, 'owner.json'))).toBe(false);
  });
});

describe('parts', () => {
  const plan = (script: string, over: Partial<PartPlan> = {}): PartPlan => ({
    name: 'part',
    title: 'The part',
    command: process.execPath,
    args: ['-e', script],
    cwd: folder,
    logFile: path.join(folder, 'part.log'),
    ports: { part: 1 },
    isHealthy: () => Promise.resolve(existsSync(path.join(folder, 'up'))),
    healthyWithinMs: 5_000,
    reusable: true,
    end: [{ signal: 'SIGKILL', waitMs: 5_000 }],
    ...over,
  });

  test('start · the program ends at once · refused with the end of its log', async () => {
    const context = stand();
    await expect(runPart(context, plan("console.log('no key'); process.exit(3)"))).rejects.toThrow(
      /The part ended while starting \(exit code 3\)[^]*no key/,
    );
    expect(context.records.standing('part')).toBeUndefined();
  });

  test('start · never healthy · ended, and refused with how long was waited', async () => {
    const context = stand();
    const start = runPart(context, plan('setInterval(() => {}, 1000)', { healthyWithinMs: 300 }));
    await expect(start).rejects.toThrow('was not healthy after 0 s');
    expect(context.records.standing('part')).toBeUndefined();
  });

  test('start · an earlier run left one that may not be reused · ended first, then a new one', async () => {
    writeFileSync(path.join(folder, 'up'), '');
    const abort = new AbortController();
    const killed = stand({}, abort.signal);
    const left = await runPart(killed, plan('setInterval(() => {}, 1000)'));
    const pid = left.pid();
    // As kill -9 leaves things: it does nothing more, and what it started goes on.
    abort.abort();
    killed.parts.splice(0);
    const next = await runPart(stand(), plan('setInterval(() => {}, 1000)', { reusable: false }));
    expect(next.origin).toBe('started');
    expect(next.pid()).not.toBe(pid);
  });
});

describe('what is missing is said', () => {
  test('Redis · no binary and no way to install · how to get it', async () => {
    const context = stand();
    await expect(bringRedis(context)).rejects.toThrow(
      /Redis is missing.*apt-get install redis-server.*REDIS_URL/,
    );
  });

  test('Redis · REDIS_URL where nothing answers · named', async () => {
    await expect(bringRedis(stand({ REDIS_URL: 'redis://127.0.0.1:1' }))).rejects.toThrow(
      'REDIS_URL is set',
    );
  });

  test('Temporal · TEMPORAL_ADDRESS where nothing answers · named', async () => {
    await expect(bringTemporal(stand({ TEMPORAL_ADDRESS: '127.0.0.1:1' }), 'RUN')).rejects.toThrow(
      'TEMPORAL_ADDRESS is set',
    );
  });

  test('Chromium · no binary and no way to install · how to get it', async () => {
    await expect(findChromium(stand())).rejects.toThrow(/Chromium is missing.*CHROMIUM_PATH/);
  });
});

const SANDBOX_KEYS = { ...makeKeys(), ...makeSandboxKeys() };

describe('what API and worker are told', () => {
  const standing = (address: string) => ({ address, origin: 'started' as const, pid: () => 1 });
  const devOf = (env: NodeJS.ProcessEnv) => {
    const services = {
      postgres: standing('postgres://127.0.0.1:1/x'),
      redis: standing('redis://127.0.0.1:2'),
      temporal: { ...standing('127.0.0.1:3'), uiUrl: 'http://127.0.0.1:4' },
    };
    const options = { services, postgresUrl: 'postgres://127.0.0.1:1/x', keys: SANDBOX_KEYS };
    const ports = { sandboxPort: 8 };
    const stand = { ...options, ...ports, namespace: 'ads', apiPort: 5, cdnPort: 7, demoPort: 6 };
    return loadConfig(platformEnv({ env, dataDir: folder }, stand)).dev;
  };

  test('names · placed by the environment · are added to those of the demo', () => {
    const { hosts, txt } = devOf({
      DEV_HOSTS: 'shop.example=127.0.0.1:9000',
      DEV_TXT: '_adplatform.shop.example=code',
    });
    expect(Object.fromEntries(hosts)).toEqual({
      'shop.example': '127.0.0.1:9000',
      'demo-publisher.example': '127.0.0.1:6',
    });
    expect(Object.fromEntries(txt)).toEqual({ '_adplatform.shop.example': 'code' });
  });

  test('names · the environment places none, or the demo elsewhere · the demo is where it runs', () => {
    const demo = { 'demo-publisher.example': '127.0.0.1:6' };
    expect(Object.fromEntries(devOf({}).hosts)).toEqual(demo);
    const elsewhere = { DEV_HOSTS: 'demo-publisher.example=127.0.0.1:9000' };
    expect(Object.fromEntries(devOf(elsewhere).hosts)).toEqual(demo);
  });
});

describe('bootstrap', () => {
  test('an unknown command · refused with the ones that exist', async () => {
    const { code, stderr } = await runCommand(process.execPath, ['dev/bootstrap.mjs', 'sing']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('start|test|bench|faults')]);
  });

  test('packages · the lock file asks for others than are installed · npm ci runs once', async () => {
    const clone = path.join(folder, 'clone');
    const bin = path.join(folder, 'bin');
    mkdirSync(path.join(clone, 'dev'), { recursive: true });
    mkdirSync(path.join(clone, 'node_modules', 'tsx'), { recursive: true });
    mkdirSync(bin);
    const copy = ['cp', 'dev/bootstrap.mjs', path.join(clone, 'dev/bootstrap.mjs')] as const;
    await runCommand(copy[0], copy.slice(1));
    writeFileSync(path.join(clone, 'dev/test.ts'), "console.log('handed over', process.argv[2]);");
    writeFileSync(
      path.join(clone, 'node_modules/tsx/package.json'),
      '{"name":"tsx","main":"x.js"}',
    );
    writeFileSync(path.join(clone, 'node_modules/tsx/x.js'), '');
    writeFileSync(
      path.join(clone, 'package-lock.json'),
      '{"packages":{"":{},"node_modules/a":{"version":"1.0.0"}}}',
    );
    // Stands for npm, so that no registry is asked; it notes each call.
    writeFileSync(path.join(bin, 'npm'), `#!/bin/sh\necho "$@" >> ${folder}/npm-calls\n`, {
      mode: 0o755,
    });
    const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
    const run = () =>
      runCommand(process.execPath, ['dev/bootstrap.mjs', 'test', 'one'], { cwd: clone, env });
    const first = await run();
    expect(first.stdout).toContain('Installing packages');
    const second = await run();
    expect(second.stdout).not.toContain('Installing packages');
    const calls = await runCommand('cat', [path.join(folder, 'npm-calls')]);
    expect(calls.stdout).toBe('ci --include=dev --no-audit --no-fund\n');
  });
});

describe('npm run faults', () => {
  test('a service of somebody else · is refused before anything is started or killed', async () => {
    const { code, stdout, stderr } = await runCommand(
      process.execPath,
      ['--import', 'tsx', 'dev/faults.ts'],
      { env: { ...process.env, POSTGRES_URL: 'postgres://127.0.0.1:1/none' } },
    );
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(/run it without POSTGRES_URL/);
    expect(stdout + stderr).not.toMatch(/stands/);
  });
});
