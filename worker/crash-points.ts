import { activityInfo } from '@temporalio/activity';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { endProcessAt } from '../activities/core/run-once.ts';
import type { Payouts } from '../activities/providers/payout.ts';
import type { PayoutProvider } from '../activities/providers/payout-port.ts';
import type { ExportStore } from '../db/files/export-store.ts';

/**
 * Tests only (CRASH_AT of config.ts): the process dies before a step of a flow, or when all of it is
 * committed and Temporal has not heard: `after:withdrawal:7/readWithdrawal#2`, the second of its name.
 * `before:withdrawal:7/provider` and `after:` are around the call that sends money.
 */
export const diesAt = (crashAt: string): ActivityInterceptorsFactory[] => {
  if (crashAt === '') return [];
  const counts = new Map<string, number>();
  return [
    () => ({
      inbound: {
        async execute(input, next) {
          const step = `${flowOfStep()}/${activityInfo().activityType}`;
          const count = (counts.get(step) ?? 0) + 1;
          counts.set(step, count);
          endProcessAt(crashAt, `before:${step}#${count}`);
          const result: unknown = await next(input);
          endProcessAt(crashAt, `after:${step}#${count}`);
          return result;
        },
      },
    }),
  ];
};

/** The same around a provider's call, which lies between two commits of its step. */
export function payoutsThatDie(payouts: Payouts, crashAt: string): Payouts {
  if (crashAt === '') return payouts;
  const dying = (provider: PayoutProvider): PayoutProvider => ({
    send: async (order) => {
      endProcessAt(crashAt, `before:${flowOfStep()}/provider`);
      const outcome = await provider.send(order);
      endProcessAt(crashAt, `after:${flowOfStep()}/provider`);
      return outcome;
    },
    find: async (key) => await provider.find(key),
  });
  return {
    ...payouts,
    provider: (channel) => {
      const provider = payouts.provider(channel);
      return provider === undefined ? undefined : dying(provider);
    },
  };
}

/** Around a file of an export: `after:file:7.2` is the second part of export 7, on the disk and without its row. */
export function exportsThatDie(store: ExportStore, crashAt: string): ExportStore {
  if (crashAt === '') return store;
  return {
    ...store,
    write: async (file, content) => {
      const name = file.replace(/\.[0-9a-f]{12}\.lines$/, '');
      endProcessAt(crashAt, `before:file:${name}`);
      const written = await store.write(file, content);
      endProcessAt(crashAt, `after:file:${name}`);
      return written;
    },
  };
}

const flowOfStep = (): string => activityInfo().workflowExecution?.workflowId ?? '';
