import { mkdtempSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleFlows, failureConverterPath, tracesModule } from '../../worker/bundle.ts';
import { oncePerRun, RUN_FOLDER } from './once.ts';

const moduleOf = (name: string): string => path.resolve('test', 'support', `${name}.ts`);

/**
 * Temporal's setting by which flows run in the worker's own thread. Else each pool starts one, a third of
 * a second of processor each; production’s way stays under test in e2e/loop.test.ts and where workers are killed.
 */
export const FLOWS_IN_THREAD = { TEMPORAL_DEBUG: '1' };

/** For processes whose flows run so; Jest's own have it from one-realm.cjs. */
export const WITHOUT_PROMISE_STACKS = {
  // In quotes, as a folder's name may hold a space.
  NODE_OPTIONS: `--require ${JSON.stringify(path.resolve('test/support/without-promise-stacks.cjs'))}`,
};

/** The flows' code as tests run it: failed steps are retried at once, `soonLost` ones of dead workers soon. */
async function bundleForTests({ sealed = false, soonLost = false } = {}): Promise<string> {
  const { code } = await bundleFlows({
    workflowsPath: path.resolve('workflows', 'index.ts'),
    ...(sealed ? { failureConverterPath: failureConverterPath() } : {}),
    workflowInterceptorModules: [
      tracesModule(),
      moduleOf('fast-retries'),
      moduleOf('moved-flows'),
      ...(soonLost ? [moduleOf('soon-lost')] : []),
    ],
  });
  return code;
}

/** A worker that was lost is noticed after seconds, whatever its step may take. */
export async function soonLostBundle(): Promise<string> {
  const make = async (target: string): Promise<void> => {
    await writeFile(target, await bundleForTests({ sealed: true, soonLost: true }));
  };
  if (process.env[RUN_FOLDER] !== undefined) return await oncePerRun('soon-lost-bundle.js', make);
  const target = path.join(mkdtempSync(path.join(tmpdir(), 'bundle-')), 'bundle.js');
  await make(target);
  return target;
}

/** Every flow of the platform, bundled once for all files of a run. */
export async function testWorkflowBundle(sealed = false): Promise<{ codePath: string }> {
  const name = sealed ? 'sealed-workflow-bundle.js' : 'workflow-bundle.js';
  const codePath = await oncePerRun(name, async (target) => {
    await writeFile(target, await bundleForTests({ sealed }));
  });
  return { codePath };
}

/** The same as a worker runs it elsewhere, where payloads are sealed. */
export const plainWorkflowBundle = async (): Promise<string> =>
  await oncePerRun('plain-workflow-bundle.js', async (target) => {
    const { code } = await bundleFlows({
      workflowsPath: path.resolve('workflows', 'index.ts'),
      failureConverterPath: failureConverterPath(),
      workflowInterceptorModules: [tracesModule()],
    });
    await writeFile(target, code);
  });

/**
 * The code of another build: the first step of a review is called otherwise, so that a review which began with
 * one of the two cannot go on with the other.
 */
export async function otherWorkflowBundle(sealed = false): Promise<{ code: string }> {
  const { codePath } = await testWorkflowBundle(sealed);
  const code = await readFile(codePath, 'utf8');
  return { code: code.replaceAll(FIRST_STEP, OTHER_STEP) };
}

export const FIRST_STEP = 'runReviewChecks';
export const OTHER_STEP = 'runReviewChecksAnew';
