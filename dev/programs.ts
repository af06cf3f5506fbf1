import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { StandContext } from './services/context.ts';
import { makeUnlessSame } from './services/made-of.ts';
import { addressEnv, isPolling, isReady, programArguments } from './services/platform-processes.ts';
import { bundledProgram, bundlePrograms } from './services/program-bundles.ts';
import { sandboxEnv, type SandboxKeys } from './sandboxes/stand.ts';
import { type Services, serviceEnv } from './services/services.ts';
import { type PartPlan, runPart } from './services/supervise.ts';

const API_PORT_USUAL = 8080;
const CDN_PORT_USUAL = 8081;
const DEMO_PORT_USUAL = 8090;
const SANDBOX_PORT_USUAL = 8091;
/** No public suffix of the real net: nobody else can own it. */
const DEMO_DOMAIN = 'demo-publisher.example';

const SOURCES = ['api/main.ts', 'worker/main.ts', 'dev/sandboxes/main.ts', 'dev/demo-site.ts'];
/** What their bundles and the flows' are made of. */
const INPUTS = [
  'activities',
  'api',
  'db',
  'dev',
  'domain',
  'metrics',
  'worker',
  'workflows',
  'config.ts',
  'config-keys.ts',
  'config-payments.ts',
  'config-payouts.ts',
  'config-temporal.ts',
  'package-lock.json',
];

export interface Programs {
  baseUrl: string;
  cdnUrl: string;
  demoUrl: string;
  demoDomain: string;
  demoState: string;
  /** What API and worker were told. */
  env: Readonly<Record<string, string | undefined>>;
}

interface ProgramOptions {
  /** Of what `bundleAll` has made. */
  bundles: string;
  services: Services;
  postgresUrl: string;
  keys: Record<string, string>;
}

/**
 * The browser code of this stand: a copy, because the build's own folder is made anew by tests, of what has changed
 * since, and a platform that runs knows the names of the files that it began with.
 */
export async function copyWeb({ dataDir }: StandContext, built: string): Promise<void> {
  await rm(webOf(dataDir), { recursive: true, force: true });
  await cp(built, webOf(dataDir), { recursive: true });
}

const webOf = (dataDir: string): string => path.join(dataDir, 'web');

/**
 * The programs with their packages, and every flow, as files that load at once. Nothing to do when no source has
 * changed; answers the folder.
 */
export async function bundleAll({ dataDir }: StandContext): Promise<string> {
  const folder = path.join(dataDir, 'programs');
  await makeUnlessSame({
    inputs: INPUTS,
    stamp: path.join(folder, 'made-of'),
    make: async () => {
      // A second of loading, which most starts do without.
      const { writeWorkflowBundle } = await import('../worker/bundle.ts');
      await Promise.all([
        bundlePrograms(folder, SOURCES),
        writeWorkflowBundle(flowsOf(folder), false),
      ]);
    },
  });
  return folder;
}

const flowsOf = (folder: string): string => path.join(folder, 'workflow-bundle.js');

/** Our own processes: API, worker, and the demo publisher's web server. */
export async function runPrograms(
  context: StandContext,
  options: ProgramOptions,
): Promise<Programs> {
  const { records, ports, dataDir, env } = context;
  const apiPort = await ports.choose({
    variable: 'PORT',
    last: records.lastPort('api'),
    usual: API_PORT_USUAL,
  });
  const cdnPort = await ports.choose({
    variable: 'CDN_PORT',
    last: records.lastPort('cdn'),
    usual: CDN_PORT_USUAL,
  });
  const demoPort = await ports.choose({
    variable: 'DEMO_PORT',
    last: records.lastPort('demo'),
    usual: DEMO_PORT_USUAL,
  });
  const sandboxPort = await ports.choose({
    variable: 'SANDBOX_PORT',
    last: records.lastPort('sandboxes'),
    usual: SANDBOX_PORT_USUAL,
  });
  const demoState = path.join(dataDir, 'demo.json');
  const namespace = env['TEMPORAL_NAMESPACE'] ?? 'ads';
  const platform = platformEnv(context, {
    ...options,
    namespace,
    apiPort,
    cdnPort,
    demoPort,
    sandboxPort,
  });
  const { BASE_URL: baseUrl, CDN_URL: cdnUrl } = platform;
  const temporal = { address: options.services.temporal.address, namespace };
  const plan = (name: string, title: string, script: string) =>
    programPlan(context, { name, title, script: bundledProgram(options.bundles, script) });
  await Promise.all([
    runPart(context, {
      ...plan('worker', 'Worker', 'worker/main.ts'),
      env: { ...flowsFor(env, options.bundles), ...platform },
      ports: {},
      isHealthy: (launchedAt) => isPolling(temporal, launchedAt),
    }),
    runPart(context, {
      ...plan('sandboxes', 'Sandboxes of payment providers', 'dev/sandboxes/main.ts'),
      env: { ...env, ...options.keys, SANDBOX_PORT: String(sandboxPort) },
      ports: { sandboxes: sandboxPort },
      isHealthy: () => answers(`http://127.0.0.1:${sandboxPort}/`),
    }),
    runPart(context, {
      ...plan('demo', 'Demo site', 'dev/demo-site.ts'),
      env: { ...env, DEMO_PORT: String(demoPort), DEMO_STATE: demoState, BASE_URL: baseUrl },
      ports: { demo: demoPort },
      isHealthy: () => answers(`http://127.0.0.1:${demoPort}/`),
    }),
    runPart(context, {
      ...plan('api', 'API', 'api/main.ts'),
      env: platform,
      ports: { api: apiPort, cdn: cdnPort },
      isHealthy: () => isReady(baseUrl),
    }),
  ]);
  const demoUrl = `http://127.0.0.1:${demoPort}`;
  return { baseUrl, cdnUrl, demoUrl, demoDomain: DEMO_DOMAIN, demoState, env: platform };
}

/**
 * What API and worker are told: the environment, and over it what this stand is. Names that the
 * environment places (DEV_HOSTS) are added to, so that a site on this machine can be verified.
 */
export function platformEnv(
  { env, dataDir }: Pick<StandContext, 'env' | 'dataDir'>,
  stand: Omit<ProgramOptions, 'bundles'> & {
    namespace: string;
    apiPort: number;
    cdnPort: number;
    demoPort: number;
    sandboxPort: number;
  },
) {
  return {
    ...env,
    ...Object.fromEntries(
      // The providers' own keys are theirs.
      Object.entries(stand.keys).filter(([name]) => !name.startsWith('SANDBOX_')),
    ),
    ...serviceEnv(stand.services),
    ...addressEnv(stand.apiPort, stand.cdnPort),
    ...sandboxEnv(`http://127.0.0.1:${stand.sandboxPort}`, stand.keys as SandboxKeys),
    PAYMENT_ASK_SECONDS: '5',
    PAYOUT_ACCOUNT_WAIT_SECONDS: '60',
    NODE_ENV: 'development',
    POSTGRES_URL: stand.postgresUrl,
    TEMPORAL_NAMESPACE: stand.namespace,
    WEB_DIR: webOf(dataDir),
    MEDIA_DIR: path.join(dataDir, 'media'),
    PAYOUT_SANDBOX_DIR: path.join(dataDir, 'payouts'),
    PRIVATE_DIR: path.join(dataDir, 'private'),
    EXPORT_DIR: path.join(dataDir, 'exports'),
    MAIL_DIR: path.join(dataDir, 'mail'),
    SPOOL_DIR: path.join(dataDir, 'spool'),
    DEV_HOSTS: `${env['DEV_HOSTS'] ?? ''},${DEMO_DOMAIN}=127.0.0.1:${stand.demoPort}`,
  };
}

/** Flows whose failures are sealed (FLOW_KEYS) are another bundle: the worker makes that itself. */
const flowsFor = (env: NodeJS.ProcessEnv, bundles: string): NodeJS.ProcessEnv =>
  env['FLOW_KEYS'] === undefined ? { WORKFLOW_BUNDLE: flowsOf(bundles) } : {};

type Common = Omit<PartPlan, 'env' | 'ports' | 'isHealthy'>;

function programPlan(
  { root, dataDir }: StandContext,
  program: { name: string; title: string; script: string },
): Common {
  return {
    name: program.name,
    title: program.title,
    command: process.execPath,
    args: programArguments(root, program.script),
    cwd: root,
    logFile: path.join(dataDir, 'logs', `${program.name}.log`),
    healthyWithinMs: 60_000,
    reusable: false,
    // A worker gives its running steps half a minute; the API drains its open requests.
    end: [
      { signal: 'SIGTERM', waitMs: 35_000 },
      { signal: 'SIGKILL', waitMs: 5_000 },
    ],
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
