import { sleep } from '@temporalio/workflow';
import { show } from './sight.ts';

/** Up to this part of a wait is added, so that a server that was away is not called by all at once. */
const JITTER = 0.1;

/** One attempt; `nextAfterSeconds` is null when it is the last one. */
type Send<Result> = (attempt: number, nextAfterSeconds: number | null) => Promise<Result>;

/** Calls somebody's server now, then after each wait, until it has taken what it is told. */
export async function untilTaken<Result extends { state: 'DELIVERED' | 'MISSED' | 'DEAD' }>(
  {
    firstAttempt,
    retryAfterSeconds,
  }: { firstAttempt: number; retryAfterSeconds: readonly number[] },
  send: Send<Result>,
): Promise<Result> {
  for (let attempt = firstAttempt; ; attempt += 1) {
    const wait = retryAfterSeconds[attempt - firstAttempt];
    // Temporal seeds this by the run: a replay waits as long.
    const nextAfterSeconds = wait === undefined ? null : wait * (1 + Math.random() * JITTER);
    show({ stage: 'delivering' });
    const result = await send(attempt, nextAfterSeconds);
    if (nextAfterSeconds === null || result.state !== 'MISSED') {
      show({ stage: 'ended', note: `Outcome: ${result.state}.` });
      return result;
    }
    const waitMs = Math.ceil(nextAfterSeconds * 1_000);
    const dueAt = new Date(Date.now() + waitMs).toISOString();
    show({ stage: 'deliver_again', dueAt, note: `Attempt ${attempt} was not taken.` });
    await sleep(waitMs, { summary: 'until the next attempt' });
  }
}
