import { type Client, Client as TemporalClient, Connection } from '@temporalio/client';
import { temporalOf } from '../config-temporal.ts';

/** All queues' workers of one build are one version of this deployment. */
export const DEPLOYMENT = 'adplatform';

/**
 * `TEMPORAL_WORKER_BUILD_ID` names this build, so that flows stay with the code they began with; null
 * without one. Raises for a name that Temporal would not take.
 */
export function buildIdOf(env: NodeJS.ProcessEnv): string | null {
  const { TEMPORAL_WORKER_BUILD_ID: id = '' } = env;
  if (!/^[\w.-]{0,100}$/.test(id))
    throw new Error('TEMPORAL_WORKER_BUILD_ID: letters, digits, . _ -');
  return id === '' ? null : id;
}

/**
 * From now on new flows begin with this build, and loops go on with it; what runs stays where it began.
 * Going back to a build before is the same call. Raises while its workers do not poll yet.
 */
export async function makeCurrent(
  temporal: Pick<Client, 'workflowService'>,
  { namespace, buildId }: { namespace: string; buildId: string },
): Promise<void> {
  await temporal.workflowService.setWorkerDeploymentCurrentVersion({
    namespace,
    deploymentName: DEPLOYMENT,
    buildId,
    identity: 'deploy',
  });
}

/** `node dist/worker/deployment.js <build id>`: the step of a deploy, or of its rollback, behind the workers. */
async function main(buildId: string): Promise<void> {
  // As every process is told: TLS and keys of a cluster as well.
  const faults: string[] = [];
  const { connection: options, namespace } = temporalOf(process.env, faults);
  if (faults.length > 0) throw new Error(faults.join('; '));
  const connection = await Connection.connect(options);
  try {
    await makeCurrent(new TemporalClient({ connection, namespace }), { namespace, buildId });
  } finally {
    await connection.close();
  }
}

if (/\bworker[\\/]deployment\.[jt]s$/.test(process.argv[1] ?? '')) {
  main(process.argv[2] ?? '').catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
}
