import { setTimeout as delay } from 'node:timers/promises';
import type { StandContext } from './context.ts';
import {
  type Daemon,
  type EndStep,
  endProcess,
  isRunning,
  logTail,
  startDaemon,
  type UnixUser,
} from './processes.ts';
import { StandError } from './progress.ts';
import type { PartRecord } from './records.ts';

/** Everything that is needed to start one part of a stand again and again. */
export interface PartPlan {
  /** Key in services.json and name of the log file. */
  name: string;
  /** What a person reads. */
  title: string;
  command: string;
  args: readonly string[];
  cwd: string;
  env?: NodeJS.ProcessEnv;
  user?: UnixUser | undefined;
  logFile: string;
  ports: Record<string, number>;
  /** `launchedAt` (milliseconds): signs of life from before it are an earlier process's; 0 takes any. */
  isHealthy: (launchedAt: number) => Promise<boolean>;
  healthyWithinMs: number;
  /** False: what an earlier run left is ended, not taken over (it may run older code). */
  reusable: boolean;
  /** Puts the part's files in order; runs before every start. */
  mend?: () => void;
  end: readonly EndStep[];
}

export interface Part {
  origin: 'started' | 'taken over';
  pid(): number;
}

const FIRST_PAUSE_MS = 500;
const PAUSE_MAX_MS = 30_000;
/** After living this long, a part's next death counts as its first. */
const STEADY_MS = 60_000;
/** A healthy check that stays away this long means that what runs is not usable. */
const STANDING_HEALTHY_WITHIN_MS = 10_000;

/** Takes over the recorded process if it is alive and healthy, else starts one; then keeps it running. */
export async function runPart(context: StandContext, plan: PartPlan): Promise<Part> {
  const standing = context.records.standing(plan.name);
  const taken = standing ? await takeOver(context, plan, standing) : undefined;
  const watched = { current: taken ?? (await launch(context, plan)), stopping: false };
  const watcher = watch(context, plan, watched);
  context.parts.push({
    name: plan.title,
    stop: async () => {
      watched.stopping = true;
      await endProcess(watched.current, plan.end);
      await watcher;
      context.records.forget(plan.name);
    },
    kill: () => {
      watched.stopping = true;
      if (isRunning(watched.current)) process.kill(watched.current.pid, 'SIGKILL');
    },
  });
  return { origin: taken ? 'taken over' : 'started', pid: () => watched.current.pid };
}

async function takeOver(
  context: StandContext,
  plan: PartPlan,
  standing: PartRecord,
): Promise<Daemon | undefined> {
  if (!plan.reusable) {
    await endProcess(standing, plan.end);
    return undefined;
  }
  const deadline = Date.now() + STANDING_HEALTHY_WITHIN_MS;
  while (isRunning(standing) && Date.now() < deadline && !context.signal.aborted) {
    if (await plan.isHealthy(0)) return asDaemon(standing);
    await delay(200);
  }
  context.progress.say(
    `${plan.title}: process ${standing.pid} of an earlier run does not answer; ending it`,
  );
  await endProcess(standing, plan.end);
  return undefined;
}

/** A process of another parent: that it has ended is seen by looking. */
function asDaemon(identity: PartRecord): Daemon {
  const exited = (async () => {
    while (isRunning(identity)) await delay(500);
    return 'seen to be gone';
  })();
  return {
    pid: identity.pid,
    begun: identity.begun,
    exited,
    hasExited: () => !isRunning(identity),
  };
}

/** Starts the part and waits until it is healthy. Raises StandError with the end of its log. */
async function launch(context: StandContext, plan: PartPlan): Promise<Daemon> {
  plan.mend?.();
  const launchedAt = Date.now();
  const daemon = await startDaemon(plan);
  context.records.remember(plan.name, { pid: daemon.pid, begun: daemon.begun, ports: plan.ports });
  const deadline = Date.now() + plan.healthyWithinMs;
  while (!(await plan.isHealthy(launchedAt))) {
    const late = Date.now() > deadline;
    if (!late && !context.signal.aborted && !daemon.hasExited()) {
      await delay(50);
      continue;
    }
    const how = daemon.hasExited()
      ? `ended while starting (${await daemon.exited})`
      : `was not healthy after ${Math.round(plan.healthyWithinMs / 1000)} s`;
    await endProcess(daemon, plan.end);
    context.records.forget(plan.name);
    if (context.signal.aborted) throw new StandError('interrupted');
    throw new StandError(`${plan.title} ${how}. End of ${plan.logFile}:\n${logTail(plan.logFile)}`);
  }
  return daemon;
}

/**
 * Starts the part again each time it dies, at a rate that goes down while it keeps dying. Not while
 * the stand is ending.
 */
async function watch(
  context: StandContext,
  plan: PartPlan,
  watched: { current: Daemon; stopping: boolean },
): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const begun = Date.now();
    const how = await watched.current.exited;
    const ending = () => watched.stopping || context.signal.aborted;
    if (ending()) return;
    if (Date.now() - begun > STEADY_MS) pauseMs = FIRST_PAUSE_MS;
    context.progress.say(
      `${plan.title} ended (${how}); starting it again in ${pauseMs / 1000} s. Log: ${plan.logFile}`,
    );
    await pause(pauseMs, ending);
    pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS);
    if (ending()) return;
    await relaunch(context, plan, watched);
  }
}

async function relaunch(
  context: StandContext,
  plan: PartPlan,
  watched: { current: Daemon; stopping: boolean },
): Promise<void> {
  try {
    const next = await launch(context, plan);
    watched.current = next;
    // Ending it may have been asked for while it was starting.
    if (watched.stopping) await endProcess(next, plan.end);
    else context.progress.say(`${plan.title} runs again (pid ${next.pid})`);
  } catch (error) {
    if (watched.stopping) return;
    context.progress.say(error instanceof Error ? error.message : String(error));
  }
}

async function pause(milliseconds: number, ending: () => boolean): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!ending() && Date.now() < deadline) await delay(50);
}
