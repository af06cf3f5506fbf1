import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { oncePerRun } from './once.ts';

/** Every flow of the platform, bundled once for all files of a run; failed steps are retried at once. */
export async function testWorkflowBundle(): Promise<{ codePath: string }> {
  const codePath = await oncePerRun('workflow-bundle.js', async (target) => {
    const { code } = await bundleWorkflowCode({
      workflowsPath: path.resolve('workflows', 'index.ts'),
      workflowInterceptorModules: [path.resolve('test', 'support', 'fast-retries.ts')],
      logger: new DefaultLogger('WARN'),
    });
    await writeFile(target, code);
  });
  return { codePath };
}

/** The same as a worker runs it elsewhere. */
export const plainWorkflowBundle = async (): Promise<string> =>
  await oncePerRun('plain-workflow-bundle.js', async (target) => {
    const { code } = await bundleWorkflowCode({
      workflowsPath: path.resolve('workflows', 'index.ts'),
      logger: new DefaultLogger('WARN'),
    });
    await writeFile(target, code);
  });
