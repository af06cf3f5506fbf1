import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { failureConverterPath } from '../../worker/bundle.ts';
import { oncePerRun } from './once.ts';

/** Every flow of the platform, bundled once for all files of a run; failed steps are retried at once. */
export async function testWorkflowBundle(sealed = false): Promise<{ codePath: string }> {
  const name = sealed ? 'sealed-workflow-bundle.js' : 'workflow-bundle.js';
  const codePath = await oncePerRun(name, async (target) => {
    const { code } = await bundleWorkflowCode({
      workflowsPath: path.resolve('workflows', 'index.ts'),
      ...(sealed ? { failureConverterPath: failureConverterPath() } : {}),
      workflowInterceptorModules: [path.resolve('test', 'support', 'fast-retries.ts')],
      logger: new DefaultLogger('WARN'),
    });
    await writeFile(target, code);
  });
  return { codePath };
}

/** The same as a worker runs it elsewhere, where payloads are sealed. */
export const plainWorkflowBundle = async (): Promise<string> =>
  await oncePerRun('plain-workflow-bundle.js', async (target) => {
    const { code } = await bundleWorkflowCode({
      workflowsPath: path.resolve('workflows', 'index.ts'),
      failureConverterPath: failureConverterPath(),
      logger: new DefaultLogger('WARN'),
    });
    await writeFile(target, code);
  });
