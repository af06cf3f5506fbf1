import { writeSync } from 'node:fs';
import { activityInfo } from '@temporalio/activity';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { DepositProvider } from '../activities/providers/deposit-port.ts';
import type { DepositRails } from '../activities/providers/deposit-rails.ts';
import type { Payouts } from '../activities/providers/payout.ts';
import type { PayoutProvider } from '../activities/providers/payout-port.ts';
import type { ExportStore } from '../db/files/export-store.ts';

/**
 * Tests only (CRASH_AT of config.ts): the process dies before a step of a flow, or when all of it is
 * committed and Temporal has not heard: `after:withdrawal:7/readWithdrawal#2`, the second of its name.
 * `before:withdrawal:7/provider` and `after:` are around the call that sends money, or sends it back; `after:file:7.2` is the
 * second part of export 7, on the disk and without its row.
 *
 * Several points with commas between them: each step is held at its own, and the process dies when all are
 * (or some seconds after the first, with those that are). With `SIGSTOP ` before them it does not die: it stands
 * still until it is sent SIGCONT, so that something else may die meanwhile, and then goes on.
 */
export interface CrashPoints {
  /** How many steps may be held, beside those that go on. */
  readonly count: number;
  /** Resolves at once where `here` is none of the points. */
  reach(here: string): Promise<void>;
}

/** Behind this line the process died, or stood still: the points that were reached, as JSON. */
export const HELD_LINE = 'held at ';
/** Below what a step is given (test/support/soon-lost.ts): what is held is not given up. */
const HOLD_MS = 7_000;

export function crashPoints(crashAt: string): CrashPoints {
  const [, signal = 'SIGKILL', list = ''] = /^(?:(SIGSTOP) )?(.*)$/.exec(crashAt) ?? [];
  const points = new Set(list.split(',').filter((point) => point !== ''));
  const held = new Map<string, () => void>();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const strike = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    writeSync(2, `\n${HELD_LINE}${JSON.stringify([...held.keys()])}\n`);
    process.kill(process.pid, signal);
    for (const goOn of held.values()) goOn();
  };
  return {
    count: points.size,
    reach: async (here) => {
      if (isOver || !points.has(here) || held.has(here)) return;
      await new Promise<void>((resolve) => {
        held.set(here, resolve);
        if (held.size === points.size) strike();
        else timer ??= setTimeout(strike, HOLD_MS);
      });
    },
  };
}

export const diesAt = (points: CrashPoints | undefined): ActivityInterceptorsFactory[] => {
  if (points === undefined || points.count === 0) return [];
  const counts = new Map<string, number>();
  return [
    () => ({
      inbound: {
        async execute(input, next) {
          const step = `${flowOfStep()}/${activityInfo().activityType}`;
          const count = (counts.get(step) ?? 0) + 1;
          counts.set(step, count);
          await points.reach(`before:${step}#${count}`);
          const result: unknown = await next(input);
          await points.reach(`after:${step}#${count}`);
          return result;
        },
      },
    }),
  ];
};

/** The same around a provider's call, which lies between two commits of its step. */
export function payoutsThatDie(payouts: Payouts, points: CrashPoints): Payouts {
  if (points.count === 0) return payouts;
  const dying = (provider: PayoutProvider): PayoutProvider => ({
    send: async (order, book) => {
      await points.reach(`before:${flowOfStep()}/provider`);
      const outcome = await provider.send(order, book);
      await points.reach(`after:${flowOfStep()}/provider`);
      return outcome;
    },
    find: async (order, book) => await provider.find(order, book),
  });
  return {
    ...payouts,
    provider: (channel) => {
      const provider = payouts.provider(channel);
      return provider === undefined ? undefined : dying(provider);
    },
  };
}

/** Around the call that has a wallet send money back, which lies between two commits as well. */
export function railsThatDie(rails: DepositRails, points: CrashPoints): DepositRails {
  if (points.count === 0) return rails;
  const dying = (provider: DepositProvider): DepositProvider => ({
    open: async (order) => await provider.open(order),
    query: async (order) => await provider.query(order),
    close: async (order) => await provider.close(order),
    refund: async (order) => {
      await points.reach(`before:${flowOfStep()}/provider`);
      const outcome = await provider.refund(order);
      await points.reach(`after:${flowOfStep()}/provider`);
      return outcome;
    },
    queryRefund: async (order) => await provider.queryRefund(order),
    readNotice: (notice, now) => provider.readNotice(notice, now),
  });
  return {
    ...rails,
    provider: (method) => {
      const provider = rails.provider(method);
      return provider === undefined ? undefined : dying(provider);
    },
  };
}

/** Around a file of an export. */
export function exportsThatDie(store: ExportStore, points: CrashPoints): ExportStore {
  if (points.count === 0) return store;
  return {
    ...store,
    write: async (file, content) => {
      const name = file.replace(/\.[0-9a-f]{12}\.lines$/, '');
      await points.reach(`before:file:${name}`);
      const written = await store.write(file, content);
      await points.reach(`after:file:${name}`);
      return written;
    },
  };
}

const flowOfStep = (): string => activityInfo().workflowExecution?.workflowId ?? '';
