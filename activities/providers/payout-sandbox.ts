import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Destination } from '../withdrawals/payout-accounts.ts';
import type { KeyedProvider, PayoutFinding, PayoutOrder, PayoutOutcome } from './payout-port.ts';

/**
 * A provider for development and tests. A payment is a file under its key, made once: the folder
 * shows what was really paid, also after a crash. The part of the e-mail address behind `+` says
 * what goes wrong:
 *
 * | mark | sending it | asking later |
 * |---|---|---|
 * | none | pays | settled |
 * | `+pending` | accepted, pays | pending once, then settled |
 * | `+bounce` | accepted, does not pay | failed |
 * | `+reject` | refused | not found |
 * | `+unsent` | did not leave | not found |
 * | `+timeout` | pays, answer lost | settled |
 * | `+lost` | does not pay, answer lost | not found |
 * | `+hidden` | pays, answer lost | not found |
 */
export function createPayoutSandbox(folder: string): KeyedProvider {
  const fileOf = (key: string): string =>
    path.join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`);

  return {
    async send(order) {
      const mark = markOf(order.destination);
      if (mark === 'unsent') return { state: 'NOT_SENT', reason: 'connection refused' };
      if (mark === 'reject') return { state: 'REJECTED', reason: 'RECEIVER_UNREGISTERED' };
      if (mark === 'lost') throw new Error('the connection was reset');
      await mkdir(folder, { recursive: true });
      await keepOnce(fileOf(order.key), { ...order, mark, paid: mark !== 'bounce' });
      return outcomeOf(mark, order);
    },

    async find({ key }): Promise<PayoutFinding> {
      const kept = await readKept(fileOf(key));
      if (kept === undefined || kept.mark === 'hidden') return { state: 'NOT_FOUND' };
      if (kept.mark === 'bounce') return { state: 'FAILED', reason: 'RECEIVER_CLOSED' };
      const reference = referenceOf(key);
      if (kept.mark === 'pending' && (await isFirst(`${fileOf(key)}.asked`))) {
        return { state: 'PENDING', reference };
      }
      return { state: 'SETTLED', reference };
    },
  };
}

function outcomeOf(mark: string | null, { key }: PayoutOrder): PayoutOutcome {
  if (mark === 'timeout' || mark === 'hidden') throw new Error('the answer timed out');
  const accepted = mark === 'pending' || mark === 'bounce';
  return { state: accepted ? 'ACCEPTED' : 'SETTLED', reference: referenceOf(key) };
}

const markOf = (destination: Destination): string | null =>
  'email' in destination ? (/\+([a-z]+)@/.exec(destination.email)?.[1] ?? null) : null;

const referenceOf = (key: string): string => `SANDBOX-${key}`;

/** A second order under the same key is the first one. */
async function keepOnce(file: string, payment: object): Promise<void> {
  await isFirst(file, JSON.stringify(payment));
}

async function isFirst(file: string, text = ''): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readKept(file: string): Promise<{ mark: string | null } | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as { mark: string | null };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
