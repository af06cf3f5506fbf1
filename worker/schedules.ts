import { isDeepStrictEqual } from 'node:util';
import {
  type Client,
  type ScheduleDescription,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { SCHEDULED_FLOWS, type ScheduledFlow } from '../workflows/contracts/schedules.ts';

const RPC_DEADLINE_MS = 5_000;

const optionsOf = (flow: ScheduledFlow): ScheduleOptions => ({
  scheduleId: flow.scheduleId,
  spec: { intervals: [{ every: `${flow.everySeconds}s` }] },
  action: {
    type: 'startWorkflow',
    workflowType: flow.type,
    workflowId: flow.scheduleId,
    taskQueue: flow.taskQueue,
    args: [],
    staticSummary: flow.summary,
  },
  policies: {
    overlap: ScheduleOverlapPolicy[flow.overlap],
    catchupWindow: `${flow.catchUpSeconds}s`,
  },
  // A Temporal that was made anew is looked after at once, and not in an hour.
  state: { triggerImmediately: true, note: 'declared in code: what is changed by hand is undone' },
});

/**
 * What the code declares is what runs: missing schedules are made, others of a build before deleted;
 * with `rewrite` each gets its declared rhythm again. One that an operator paused stays paused.
 */
export async function ensureSchedules(
  temporal: Client,
  { rewrite }: { rewrite: boolean },
  declared: readonly ScheduledFlow[] = SCHEDULED_FLOWS,
): Promise<void> {
  await temporal.withDeadline(Date.now() + RPC_DEADLINE_MS, async () => {
    const there = new Set<string>();
    for await (const { scheduleId } of temporal.schedule.list()) {
      there.add(scheduleId);
      if (!declared.some((flow) => flow.scheduleId === scheduleId)) {
        await deleteSchedule(temporal, scheduleId);
      }
    }
    for (const flow of declared) {
      // The list is a moment late: whoever was faster has made it.
      const isNew = !there.has(flow.scheduleId) && (await createSchedule(temporal, flow));
      if (!isNew && rewrite) await rewriteSchedule(temporal, flow);
    }
  });
}

async function createSchedule(temporal: Client, flow: ScheduledFlow): Promise<boolean> {
  try {
    await temporal.schedule.create(optionsOf(flow));
    return true;
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) return false;
    throw error;
  }
}

/**
 * Only what differs is written: an update carries the state that was read, and a pause that comes in
 * that moment would be undone.
 */
async function rewriteSchedule(temporal: Client, flow: ScheduledFlow): Promise<void> {
  const schedule = temporal.schedule.getHandle(flow.scheduleId);
  if (isDeepStrictEqual(declaredBy(await schedule.describe()), flow)) return;
  const { spec, action, policies } = optionsOf(flow);
  await schedule.update(({ state }) => ({
    spec,
    action,
    ...(policies === undefined ? {} : { policies }),
    state,
  }));
}

/** What a schedule that is there would be as a declaration; null where none can say it. */
function declaredBy(found: ScheduleDescription): Record<keyof ScheduledFlow, unknown> {
  const intervals = found.spec.intervals ?? [];
  return {
    scheduleId: found.action.workflowId,
    type: found.action.workflowType,
    taskQueue: found.action.taskQueue,
    everySeconds: intervals.length === 1 ? (intervals[0]?.every ?? 0) / 1000 : null,
    catchUpSeconds: found.policies.catchupWindow / 1000,
    overlap: found.policies.overlap,
    summary: found.action.staticSummary,
  };
}

async function deleteSchedule(temporal: Client, scheduleId: string): Promise<void> {
  try {
    await temporal.schedule.getHandle(scheduleId).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
