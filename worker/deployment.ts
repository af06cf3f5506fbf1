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

/**
 * Why the last worker of a build must not be stopped yet; null: it may. New flows begin with the current
 * build and loops are with it; a flow of money or of a review ends with the build that it began with. Raises
 * where no such build was ever seen.
 */
export async function whyKept(
  temporal: Pick<Client, 'workflowService' | 'workflow'>,
  { namespace, buildId }: { namespace: string; buildId: string },
): Promise<string | null> {
  const { workerDeploymentInfo } = await temporal.workflowService.describeWorkerDeployment({
    namespace,
    deploymentName: DEPLOYMENT,
  });
  const known = workerDeploymentInfo?.versionSummaries ?? [];
  if (!known.some(({ deploymentVersion }) => deploymentVersion?.buildId === buildId)) {
    throw new Error(`${buildId}: no build of that name has polled`);
  }
  const current = workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId;
  if (current === buildId) return `${buildId} is the current build: make another one current first`;
  const query = `TemporalWorkerDeploymentVersion = '${DEPLOYMENT}:${buildId}' AND ExecutionStatus = 'Running'`;
  const { count } = await temporal.workflow.count(query);
  return count === 0 ? null : `${count} flows end with ${buildId}: they wait for its workers`;
}

/**
 * `node dist/worker/deployment.js <build id>`: the step of a deploy, or of its rollback, behind the workers.
 * `… may-stop <build id>` before the last worker of a build is stopped: exits non-zero where it must stay.
 */
async function main(args: readonly string[]): Promise<void> {
  const [verb = '', named = ''] = args;
  const mayStop = verb === 'may-stop';
  const buildId = mayStop ? named : verb;
  // As every process is told: TLS and keys of a cluster as well.
  const faults: string[] = [];
  const { connection: options, namespace } = temporalOf(process.env, faults);
  if (faults.length > 0) throw new Error(faults.join('; '));
  const connection = await Connection.connect(options);
  try {
    const temporal = new TemporalClient({ connection, namespace });
    if (!mayStop) {
      await makeCurrent(temporal, { namespace, buildId });
      return;
    }
    const why = await whyKept(temporal, { namespace, buildId });
    if (why !== null) throw new Error(why);
    process.stdout.write(`${buildId} may be stopped\n`);
  } finally {
    await connection.close();
  }
}

if (/\bworker[\\/]deployment\.[jt]s$/.test(process.argv[1] ?? '')) {
  main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
}
