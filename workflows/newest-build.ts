import { type WorkflowDefinitionOptions } from '@temporalio/common';
import { workflowInfo } from '@temporalio/workflow';

/**
 * For loops (setWorkflowOptions): they go on with the newest build, so a change of their steps needs
 * `patched`. Said only where workers have builds (`TEMPORAL_WORKER_BUILD_ID`): elsewhere Temporal
 * refuses the whole step.
 */
export const onNewestBuild = (): WorkflowDefinitionOptions =>
  workflowInfo().currentDeploymentVersion === undefined
    ? {}
    : { versioningBehavior: 'AUTO_UPGRADE' };
