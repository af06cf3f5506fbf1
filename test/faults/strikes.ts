import { readFileSync, statSync } from 'node:fs';
import { HELD_LINE } from '../../worker/crash-points.ts';
import { until } from '../support/until.ts';
import { beginFlow, type CleanFlow, type CrashStand, ended } from './flow-crashes.ts';
import { BY_WALLET, type FlowSubject, tracesOfFlow, UNSENT } from './flow-subjects.ts';
import { startOperators } from './people.ts';
import { isReady, killService } from './services.ts';

export interface Strike {
  name: string;
  /** `after:readWithdrawal#2`, of the flow that is begun for it. */
  point: string;
  /** Which flow it ends like, where that is not its own. */
  like?: { name: string; end: unknown };
}

/** Dead before the call: nobody knows, and asking finds nothing. */
export const BEFORE_PROVIDER = {
  point: 'before:provider',
  like: { name: UNSENT, end: 'FAILED' },
};

/** Before and after each of its steps, and around the call that sends money. */
export const strikesOf = ({ name, steps }: CleanFlow): Strike[] =>
  steps.flatMap((step) => [
    { name, point: `before:${step}` },
    ...(step.startsWith('sendPayout#') && name !== UNSENT
      ? [
          { name, ...BEFORE_PROVIDER },
          { name, point: 'after:provider' },
        ]
      : []),
    // Asked again under the same key, its wallet says what became of it: nothing is lost.
    ...(name === BY_WALLET && step === 'sendRefund#1'
      ? [
          { name, point: BEFORE_PROVIDER.point },
          { name, point: 'after:provider' },
        ]
      : []),
    { name, point: `after:${step}` },
  ]);

/** The first of each list, then the second of each: flows that are as far as each other. */
export const abreast = <Item>(lists: readonly (readonly Item[])[]): Item[] =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat();

export interface Struck extends Strike {
  subject: FlowSubject;
}

/**
 * What dies while flows stand between two steps. Where it is not the worker, the worker stands still until that
 * part is there again, and goes on with connections that are gone.
 */
export type Victim = 'worker' | 'services' | Service;
type Service = 'api' | 'temporal' | 'postgres';
/** `services`: all three die, one after the other, while the worker stands at the same points. */
const SERVICES: readonly Service[] = ['api', 'temporal', 'postgres'];

export interface Wave {
  victim: Victim;
  /** Strikes whose flows were where they should be; those that were not are struck again. */
  struck: number;
  left: number;
  /** To begin its flows, and from the worker's start until what died is there again. */
  beginSeconds: number;
  strikeSeconds: number;
}

export const secondsSince = (startedAt: number): number =>
  Math.round((Date.now() - startedAt) / 1_000);

/** So often is a strike tried whose flow is not where it should be in time. */
const TRIES_MAX = 6;

/**
 * All strikes, `together` of them by one kill; what was struck before goes on meanwhile. Each has a flow of its
 * own and each wave a worker of its own. Ends with a worker that lives.
 */
export async function strikeAll(
  stand: CrashStand,
  strikes: readonly Strike[],
  {
    victim = 'worker',
    together = strikes.length,
    told = () => undefined,
  }: { victim?: Victim; together?: number; told?: (wave: Wave) => void } = {},
): Promise<Struck[]> {
  const { worker } = stand.platform;
  const struck: Struck[] = [];
  const subjects: FlowSubject[] = [];
  const operators = startOperators(stand, subjects, strikes.length);
  const left = strikes.map((strike) => ({ strike, tries: 0 }));
  try {
    await worker.kill('SIGKILL');
    while (left.length > 0) {
      const wave = [];
      const beganAt = Date.now();
      // Fewer with each try: a flow that is struck alone is always where it should be.
      const size = Math.max(1, Math.floor(together / 2 ** (left[0]?.tries ?? 0)));
      for (const { strike, tries } of left.splice(0, size)) {
        if (tries === TRIES_MAX) throw new Error(`${strike.name} is never ${strike.point}`);
        // Begun while no worker is there: its first step is the next worker's.
        const subject = await beginFlow(stand, strike.name);
        const [when = '', step = ''] = strike.point.split(':');
        const point = `${when}:${subject.workflowId}/${step}`;
        wave.push({ strike, tries, subject, point });
      }
      subjects.push(...wave.map(({ subject }) => subject));
      const [beginSeconds, struckAt] = [secondsSince(beganAt), Date.now()];
      const held = await strikeOnce(
        stand,
        victim,
        wave.map(({ point }) => point),
      );
      for (const { strike, tries, subject, point } of wave) {
        if (held.has(point)) {
          subject.end = strike.like?.end ?? subject.end;
          struck.push({ ...strike, subject });
          continue;
        }
        struck.push({ name: strike.name, point: `on its way, ${point}`, subject });
        left.push({ strike, tries: tries + 1 });
      }
      const strikeSeconds = secondsSince(struckAt);
      told({ victim, struck: held.size, left: left.length, beginSeconds, strikeSeconds });
    }
    await worker.restart();
    for (const each of struck) await endedAsExpected(stand, each);
    return struck;
  } finally {
    await operators.stop();
  }
}

/** Answers at which of the points there was a flow when it happened; ends without a worker. */
async function strikeOnce(
  { platform }: CrashStand,
  victim: Victim,
  points: readonly string[],
): Promise<Set<string>> {
  const { worker, api, baseUrl } = platform;
  const from = statSync(worker.logFile).size;
  worker.launch({ CRASH_AT: `${victim === 'worker' ? '' : 'SIGSTOP '}${points.join(',')}` });
  const what = `the worker stands at ${points.join(', ')}`;
  const held = await until({ what, withinMs: 180_000 }, () => heldSince(worker.logFile, from));
  if (victim === 'worker') {
    await until({ what: 'the worker is dead', withinMs: 60_000 }, () => !worker.isRunning());
    return held;
  }
  try {
    for (const service of victim === 'services' ? SERVICES : [victim]) {
      if (service === 'api') {
        await api.kill('SIGKILL');
        await api.restart();
      } else await killService(service);
      await until(
        { what: `the platform is ready after ${service}`, withinMs: 120_000 },
        async () => await isReady(baseUrl),
      );
    }
  } finally {
    process.kill(worker.pid, 'SIGCONT');
  }
  await worker.kill('SIGTERM');
  return held;
}

function heldSince(logFile: string, from: number): Set<string> | undefined {
  const lines = readFileSync(logFile).subarray(from).toString().split('\n');
  const line = lines.slice(0, -1).find((each) => each.startsWith(HELD_LINE));
  if (line === undefined) return undefined;
  return new Set(JSON.parse(line.slice(HELD_LINE.length)) as string[]);
}

/**
 * A later kill may hit a payment in its very call, and nothing was sent: its sending is lost, as the audit log
 * says, and it is given back.
 */
async function endedAsExpected(stand: CrashStand, each: Struck): Promise<void> {
  const { subject } = each;
  const isPayment = subject.type === 'withdrawal' && subject.end === 'PAID';
  if (isPayment && (await wasLost(stand, subject))) {
    Object.assign(each, { like: BEFORE_PROVIDER.like });
    subject.end = 'FAILED';
  }
  await ended(stand, subject);
}

/** Waits until it is over. */
async function wasLost({ world, client }: CrashStand, subject: FlowSubject): Promise<boolean> {
  const result: unknown = await client.workflow.getHandle(subject.workflowId).result();
  if (result !== 'FAILED') return false;
  const { rows } = await world.database.pool.query(
    `SELECT FROM audit_log WHERE subject_type = 'withdrawal' AND subject_id = $1
       AND action = 'withdrawal.lose_track'`,
    [subject.id],
  );
  return rows.length > 0;
}

export interface Difference {
  name: string;
  point: string;
  traces: unknown;
  expected: unknown;
}

/**
 * Whether it differs only in how often a person was asked what became of a payment: the provider is asked
 * meanwhile, and what it says first voids the question and refuses its answer. Money, states and news are the same.
 */
export function isAskedAgain({ traces, expected }: Difference): boolean {
  const ends = (of: unknown): string => {
    const { audit, tasks, decisions, messages: _how, ...same } = of as Record<string, string[]>;
    const without = (list: string[] = [], way = ''): string[] =>
      list.filter((each) => each !== way);
    return JSON.stringify([
      without(audit, 'task.decide'),
      without(tasks, 'payout_unknown void'),
      without(decisions, 'confirm_failed REFUSED'),
      same,
    ]);
  };
  return ends(traces) === ends(expected);
}

/** What differs from a flow that nobody disturbed; empty: nothing does. */
export async function differences(
  stand: CrashStand,
  clean: readonly CleanFlow[],
  struck: readonly Struck[],
): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const { name, point, like, subject } of struck) {
    const expected = clean.find((flow) => flow.name === (like?.name ?? name))?.traces;
    const traces = await tracesOfFlow(stand.world, subject);
    if (JSON.stringify(traces) !== JSON.stringify(expected)) {
      found.push({ name, point, traces, expected });
    }
  }
  return found;
}
