import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createOperatorActivities } from '../../activities/accounts/operators.ts';
import {
  addressEnv,
  COMPILED_LATE,
  isPolling,
  isReady,
  makeKeys,
  programArguments,
} from '../../dev/services/platform-processes.ts';
import { freePort } from '../../dev/services/ports.ts';
import { bundledProgram, bundlePrograms } from '../../dev/services/program-bundles.ts';
import { logTail, runCommand } from '../../dev/services/processes.ts';
import { registerNamespace } from '../../dev/services/temporal-namespace.ts';
import {
  createTestDatabase,
  ownRedisUrl,
  prepareTemplateDatabase,
  serviceUrl,
  type TestDatabase,
} from './database.ts';
import { bundlesOf, oncePerRun, RUN_FOLDER } from './once.ts';
import { FLOWS_IN_THREAD, plainWorkflowBundle, WITHOUT_PROMISE_STACKS } from './workflow-bundle.ts';

/**
 * The whole platform for one test: a database, a Temporal namespace, an API and a worker of its own.
 * API and worker are processes, so that a test may kill them as a machine would.
 */
export interface Platform {
  baseUrl: string;
  /** Plain access to the test's own database, for what no API shows. */
  db: TestDatabase['db'];
  pool: TestDatabase['pool'];
  appPool: TestDatabase['appPool'];
  /** The application's, and the owner's. */
  postgresUrl: string;
  ownerUrl: string;
  temporalAddress: string;
  namespace: string;
  /** What both processes were started with. */
  env: Readonly<Record<string, string>>;
  api: Program;
  worker: Program;
  /** Usernames by role, once createOperators has run. */
  operators: Record<OperatorRole, string>;
  /**
   * One more API process at an address of its own, with `overrides` over its environment. Bundled
   * once, because a test that starts many would mostly wait for the loader.
   */
  startApi(overrides: Record<string, string>): Promise<{ baseUrl: string; program: Program }>;
  /** One operator of each role with this password; answers their usernames. */
  createOperators(password: string): Promise<Record<OperatorRole, string>>;
  /** Ends every process and drops the database. */
  close(): Promise<void>;
}

export interface Program {
  readonly pid: number;
  readonly logFile: string;
  isRunning(): boolean;
  /** Sends the signal and waits for the end; at once for SIGKILL. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again, with the same address and files, and waits until it can do its work. */
  restart(): Promise<void>;
  /** Starts it with `changes` over its environment, and does not wait: it may be made to die. */
  launch(changes: Record<string, string>): void;
}

export type OperatorRole = 'ADMIN' | 'REVIEWER' | 'FINANCE' | 'SUPPORT';

const ROOT = process.cwd();
const READY_WITHIN_MS = 60_000;
/** An orderly end may take as long as a worker's steps are given. */
const END_WITHIN_MS = 40_000;

export interface PlatformOptions {
  /** Runs what `npm run build` made, as production does: what is measured must not be the loader. */
  built?: boolean;
}

/** `overrides` go over the environment of both processes, for example DEV_HOSTS and DEV_TXT. */
export async function startPlatform(
  overrides: Record<string, string> = {},
  { built = false }: PlatformOptions = {},
): Promise<Platform> {
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const temporalAddress = serviceUrl('TEMPORAL_ADDRESS');
  const [database] = await Promise.all([
    prepareTemplateDatabase().then(async () => await createTestDatabase()),
    registerNamespace(temporalAddress, { namespace, retentionDays: 1 }),
    buildBrowserCode(),
  ]);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'adplatform-test-'));
  const env = await platformEnv({ database, folder, namespace, overrides });
  const baseUrl = env['BASE_URL'] ?? '';
  const flags = built ? [] : [COMPILED_LATE];
  const api = createProgram(env, {
    flags,
    script: built ? 'dist/api/main.js' : await bundled('api/main.ts'),
    logFile: path.join(folder, 'api.log'),
    isUp: () => isReady(baseUrl),
  });
  const worker = createProgram(env, {
    flags,
    script: built ? 'dist/worker/main.js' : await bundled('worker/main.ts'),
    logFile: path.join(folder, 'worker.log'),
    isUp: (launchedAt) => isPolling({ address: temporalAddress, namespace }, launchedAt),
  });
  const more: Program[] = [];
  const startApi: Platform['startApi'] = async (changes) => {
    const own = { ...env, ...addressEnv(await freePort(), await freePort()), ...changes };
    const url = own['BASE_URL'] ?? '';
    const program = createProgram(own, {
      flags,
      script: await bundled('api/main.ts'),
      logFile: path.join(folder, `api-${more.length + 2}.log`),
      isUp: () => isReady(url),
    });
    more.push(program);
    await program.restart();
    return { baseUrl: url, program };
  };
  const close = async () => {
    await Promise.all([api, worker, ...more].map((program) => program.kill('SIGTERM')));
    await database.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all([api.restart(), worker.restart()]);
  } catch (error) {
    await close();
    throw error;
  }
  const operators = { ADMIN: '', REVIEWER: '', FINANCE: '', SUPPORT: '' };
  return {
    baseUrl,
    db: database.db,
    pool: database.pool,
    appPool: database.appPool,
    postgresUrl: database.url,
    ownerUrl: database.ownerUrl,
    temporalAddress,
    namespace,
    env,
    api,
    worker,
    operators,
    startApi,
    createOperators: (password) => createOperators(database, operators, password),
    close,
  };
}

/** Into dist/web; once for all platforms of a run of Jest. */
export async function buildBrowserCode(): Promise<void> {
  if (process.env[RUN_FOLDER] === undefined) await runWebBuild();
  else
    await oncePerRun('browser-code', async (target) => {
      await runWebBuild();
      await writeFile(target, '');
    });
}

/** As a process: the script is an entry point that Jest's module format cannot load. */
async function runWebBuild(): Promise<void> {
  const { code, stderr } = await runCommand(process.execPath, ['--import', 'tsx', 'web/build.ts'], {
    cwd: ROOT,
  });
  if (code !== 0) throw new Error(`web/build.ts failed:\n${stderr}`);
}

/** Once for all platforms of a run of Jest; answers the script. It lies inside the project. */
async function bundled(source: string): Promise<string> {
  const folder = bundlesOf(process.env[RUN_FOLDER] ?? `run-${process.pid}`);
  const make = async () => await bundlePrograms(folder, [source]);
  if (process.env[RUN_FOLDER] === undefined) {
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    await make();
  } else
    await oncePerRun(`bundled ${source.replace(/\W/g, '-')}`, async (target) => {
      await make();
      await writeFile(target, '');
    });
  return bundledProgram(folder, source);
}

async function platformEnv(options: {
  database: TestDatabase;
  folder: string;
  namespace: string;
  overrides: Record<string, string>;
}): Promise<Record<string, string>> {
  const { database, folder, namespace, overrides } = options;
  return {
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    ...addressEnv(await freePort(), await freePort()),
    ...makeKeys(),
    FLOW_KEYS: `1:${randomBytes(32).toString('hex')}`,
    POSTGRES_URL: database.url,
    REDIS_URL: ownRedisUrl(),
    TEMPORAL_ADDRESS: serviceUrl('TEMPORAL_ADDRESS'),
    TEMPORAL_NAMESPACE: namespace,
    MEDIA_DIR: path.join(folder, 'media'),
    PRIVATE_DIR: path.join(folder, 'private'),
    EXPORT_DIR: path.join(folder, 'exports'),
    MAIL_DIR: path.join(folder, 'mail'),
    SPOOL_DIR: path.join(folder, 'spool'),
    ...(process.env[RUN_FOLDER] === undefined
      ? {}
      : {
          WORKFLOW_BUNDLE: await plainWorkflowBundle(),
          ...FLOWS_IN_THREAD,
          ...(overrides['TEMPORAL_DEBUG'] === undefined ? WITHOUT_PROMISE_STACKS : {}),
        }),
    ...overrides,
  };
}

interface ProgramOptions {
  /** Node's. */
  flags: readonly string[];
  script: string;
  logFile: string;
  isUp: (launchedAt: number) => Promise<boolean>;
}

function createProgram(env: Readonly<Record<string, string>>, options: ProgramOptions): Program {
  let child: ChildProcess | undefined;
  const running = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    get pid() {
      return child?.pid ?? 0;
    },
    logFile: options.logFile,
    isRunning: running,
    kill: async (signal) => {
      if (!running()) return;
      child?.kill(signal);
      const deadline = Date.now() + END_WITHIN_MS;
      while (running()) {
        if (Date.now() > deadline) child?.kill('SIGKILL');
        await delay(10);
      }
    },
    launch: (changes) => {
      if (running()) throw new Error(`${options.script} runs already`);
      child = launch({ ...env, ...changes }, options);
    },
    restart: async () => {
      if (running()) throw new Error(`${options.script} runs already`);
      const launchedAt = Date.now();
      child = launch(env, options);
      while (!(await options.isUp(launchedAt))) {
        if (!running() || Date.now() > launchedAt + READY_WITHIN_MS) {
          const how = running() ? 'is not ready in time' : 'ended while starting';
          throw new Error(`${options.script} ${how}:\n${logTail(options.logFile, 40)}`);
        }
        await delay(100);
      }
    },
  };
}

function launch(env: Readonly<Record<string, string>>, options: ProgramOptions): ChildProcess {
  const log = openSync(options.logFile, 'a');
  const { PATH, HOME } = process.env;
  const child = spawn(
    process.execPath,
    [...options.flags, ...programArguments(ROOT, options.script)],
    {
      cwd: ROOT,
      env: { PATH, HOME, ...env },
      stdio: ['ignore', log, log],
    },
  );
  closeSync(log);
  return child;
}

async function createOperators(
  database: TestDatabase,
  operators: Record<OperatorRole, string>,
  password: string,
): Promise<Record<OperatorRole, string>> {
  const activities = createOperatorActivities({ db: database.db });
  const roles: OperatorRole[] = ['ADMIN', 'REVIEWER', 'FINANCE', 'SUPPORT'];
  for (const role of roles) {
    const username = role.toLowerCase();
    await activities.createOperator({ username, email: `${username}@example.com`, password, role });
    operators[role] = username;
  }
  return operators;
}
