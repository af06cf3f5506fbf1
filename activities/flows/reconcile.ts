import type { Client } from '@temporalio/client';
import { SETTLED_AFTER_MS } from '../../domain/flow-findings.ts';
import { startExecution } from '../core/flow-start.ts';
import type { ActivityDeps } from '../deps.ts';
import { voidAbandonedQuestions } from './abandoned-questions.ts';
import { lateMessages, overdueTasks, pendingDecisions } from './desk.ts';
import {
  canWake,
  type RunningFlow,
  runningFlows,
  stateOfExecution,
  wakeFlow,
} from './executions.ts';
import { answerFinding, endUnseen, type Found } from './findings.ts';
import { type OpenFlow, openFlows, ROW_FLOWS } from './open-flows.ts';

/** Of the worker alone: the only steps that look into Temporal themselves. */
export type FlowDeps = ActivityDeps & { temporal: Client };

export interface ReconcileReport {
  openRows: number;
  executions: number;
  healed: number;
  raised: number;
}

export function createReconcileActivities(deps: FlowDeps) {
  return {
    /**
     * One lap: rows and executions of flows are held against each other, in both directions; what
     * hangs is healed or raised to an operator. The rows are the truth: it starts, wakes and sends
     * again, and withdraws what no flow asks any more. Harmless twice, and beside another of its kind.
     */
    async reconcileFlows(): Promise<ReconcileReport> {
      const startedAt = deps.clock();
      const lap = { openRows: 0, executions: 0, healed: 0, raised: 0 };
      const answer = async (found: Found): Promise<void> => {
        const given = await answerFinding(deps, startedAt, found);
        if (given === 'heal') lap.healed += 1;
        if (given === 'raise') lap.raised += 1;
      };
      // Executions first: what begins meanwhile has a young row, which is not looked at.
      const running = new Map<string, RunningFlow>();
      for await (const flow of runningFlows(deps.temporal)) {
        running.set(flow.workflowId, flow);
      }
      lap.executions = running.size;
      const settledBy = new Date(startedAt.getTime() - SETTLED_AFTER_MS);
      const open = new Set<string>();
      for await (const flow of openFlows(deps)) {
        lap.openRows += 1;
        for (const id of flow.ids) open.add(id);
        if (flow.since > settledBy || flow.ids.some((id) => running.has(id))) continue;
        const found = await withoutExecution(deps, flow);
        if (found !== null) await answer(found);
      }
      for (const flow of running.values()) {
        if (!ROW_FLOWS.has(flow.type) || flow.startedAt > settledBy) continue;
        if (open.has(flow.workflowId)) continue;
        // The list still names flows that have just ended, and more of them under load.
        const state = await stateOfExecution(deps.temporal, flow.workflowId);
        if (state === 'RUNNING') await answer(withoutRow(deps, flow));
      }
      const isOpen = (workflowId: string): boolean => open.has(workflowId);
      for (const found of [
        ...(await pendingDecisions(deps, startedAt)),
        ...(await lateMessages(deps, startedAt, isOpen)),
        ...(await overdueTasks(deps, startedAt)),
      ]) {
        await answer(found);
      }
      lap.healed += await voidAbandonedQuestions(deps, isOpen);
      await endUnseen(deps, startedAt);
      await deps.db.models.reconcilerRuns.create({ ...lap, startedAt });
      deps.log.info(lap, 'flows reconciled');
      return lap;
    },
  };
}

export type ReconcileActivities = ReturnType<typeof createReconcileActivities>;

/** The list is a moment late, so the flow itself is asked. */
async function withoutExecution(
  { temporal }: FlowDeps,
  { start, ids }: OpenFlow,
): Promise<Found | null> {
  let last = 'NONE';
  for (const id of ids) {
    const state = await stateOfExecution(temporal, id);
    if (state === 'RUNNING') return null;
    if (state !== 'NONE') last = state;
  }
  return {
    kind: 'NO_EXECUTION',
    subject: start.workflowId,
    detail: last,
    heal: async () => {
      await startExecution(temporal, start, { again: true });
    },
  };
}

/** Its row closed a moment ago, or it has missed that; and rows of a restored database may be gone. */
function withoutRow({ temporal }: FlowDeps, flow: RunningFlow): Found {
  return {
    kind: 'NO_ROW',
    subject: flow.workflowId,
    detail: flow.type,
    isPatient: true,
    ...(canWake(flow.type) ? { heal: async () => await wakeFlow(temporal, flow) } : {}),
  };
}
