import { existsSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type BundleOptions,
  bundleWorkflowCode,
  DefaultLogger,
  type WorkflowBundleOption,
} from '@temporalio/worker';

/** Written by `npm run build`; a production worker, whose payloads are sealed, starts from it. */
const PREBUILT = path.resolve('dist', 'worker', 'workflow-bundle.js');
const SOURCES = [
  path.resolve('workflows', 'index.ts'),
  path.resolve('dist', 'workflows', 'index.js'),
];
const CONVERTERS = [
  path.resolve('worker', 'failure-converter.cjs'),
  path.resolve('dist', 'worker', 'failure-converter.cjs'),
];

/** Sources and build lie in the same place from where a program is started. */
export function failureConverterPath(): string {
  const [source = '', built = ''] = CONVERTERS;
  return existsSync(source) ? source : built;
}

/** Carries traces through flows; part of every bundle, so that a flow is the same with and without them. */
export const tracesModule = (): string =>
  [path.resolve('workflows', 'traces.ts'), path.resolve('dist', 'workflows', 'traces.js')].find(
    (file) => existsSync(file),
  ) ?? '';

/** One bundle of every flow, shared by the workers of all queues. About a second from sources. */
export async function loadWorkflowBundle(options: {
  production: boolean;
  /** Made before, for many workers. */
  codePath: string | undefined;
  /** Failures are payloads too, which a codec seals. */
  sealed: boolean;
}): Promise<WorkflowBundleOption> {
  if (options.codePath !== undefined) return { codePath: options.codePath };
  if (options.production && existsSync(PREBUILT)) return { codePath: PREBUILT };
  return await bundleWorkflows(options.sealed);
}

/**
 * With a map from lines to sources, for stacks, but without the sources themselves: a worker reads the map once for
 * each of its queues, and they are most of it.
 */
export async function bundleFlows(options: BundleOptions): Promise<{ code: string }> {
  return await bundleWorkflowCode({
    ...options,
    logger: new DefaultLogger('WARN'),
    webpackConfigHook: (config) => ({ ...config, devtool: 'inline-nosources-source-map' }),
  });
}

async function bundleWorkflows(sealed: boolean): Promise<{ code: string }> {
  const workflowsPath = SOURCES.find((file) => existsSync(file));
  if (workflowsPath === undefined) throw new Error('workflows/index is not here');
  return await bundleFlows({
    workflowsPath,
    workflowInterceptorModules: [tracesModule()],
    ...(sealed ? { failureConverterPath: failureConverterPath() } : {}),
  });
}

/** For workers that begin later, which are told of it by WORKFLOW_BUNDLE. */
export async function writeWorkflowBundle(file: string, sealed: boolean): Promise<void> {
  const { code } = await bundleWorkflows(sealed);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, code);
}

async function writePrebuilt(): Promise<void> {
  const [source = '', built = ''] = CONVERTERS;
  await writeWorkflowBundle(PREBUILT, true);
  await copyFile(source, built);
}

/** `node dist/worker/bundle.js`, the last step of a build. */
if (process.argv[1]?.endsWith(path.join('worker', 'bundle.js')) === true) {
  writePrebuilt().catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
}
