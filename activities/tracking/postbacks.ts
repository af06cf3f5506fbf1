import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { findPostbackCall } from '../../db/queries/postbacks.ts';
import { moveRow, moveRows, NOW, secondsFromNow } from '../../db/schema/move.ts';
import { type PostbackRow, postbacks } from '../../db/tables/postback.ts';
import {
  fillPostbackUrl,
  POSTBACK_RETRY_SECONDS,
  type PostbackValues,
  signPostbackUrl,
} from '../../domain/tracking/postback.ts';
import { markTestUrl } from '../../domain/tracking/tracker-test.ts';
import {
  postbackStart,
  type PostbackAttempt,
  type PostbackInput,
  type PostbackResult,
} from '../../workflows/contracts/postback.ts';
import { startFlow } from '../core/outbox.ts';
import type { ActivityDeps } from '../deps.ts';
import { runStep } from '../core/run-once.ts';
import { callServer } from '../providers/call.ts';

export interface NewPostback {
  trackerId: number;
  advertiserId: number;
  /** A conversion's call, or a test's. */
  of: { conversionId: number } | { testId: number };
  /** The tracker's postback_url, with its macros. */
  template: string;
  values: PostbackValues;
}

/** A tracker's secret is made of its code under this name; a new code is a new secret. */
export const POSTBACK_SECRET_PLACE = 'trackers.postback_secret';

/**
 * In the transaction that accepts the conversion, so that what is accepted is reported, and nothing
 * else. A template whose macros would lead elsewhere is nobody's address and is not called.
 */
export async function queuePostback(
  deps: ActivityDeps,
  tx: Transaction,
  { template, values, of, ...postback }: NewPostback,
): Promise<void> {
  const url = fillPostbackUrl(template, values);
  if (url === null) {
    deps.log.warn({ tracker: postback.trackerId }, 'postback_url leads elsewhere when filled');
    return;
  }
  const isTest = 'testId' in of;
  const [made] = await deps.db.models.postbacks.bulkCreate(
    [{ ...postback, ...of, url: isTest ? markTestUrl(url) : url }],
    {
      ignoreDuplicates: true,
      returning: true,
      transaction: tx,
    },
  );
  // Null: it has its call.
  if (made !== undefined && made.id !== null) await startSending(deps, tx, made);
}

async function startSending(
  deps: ActivityDeps,
  tx: Transaction,
  postback: Pick<PostbackRow, 'id' | 'advertiserId' | 'attempts' | 'testId'>,
): Promise<void> {
  const input: PostbackInput = {
    postbackId: postback.id,
    firstAttempt: postback.attempts + 1,
    // Somebody looks on at a test: it says at once how it went.
    retryAfterSeconds: postback.testId === null ? POSTBACK_RETRY_SECONDS : [],
  };
  await startFlow(deps, tx, postbackStart(input), { accountId: postback.advertiserId });
}

export interface PostbackKey {
  id: number;
  trackerId: number;
  advertiserId: number;
}

export function createPostbackActivities(deps: ActivityDeps) {
  return {
    /**
     * One call of the advertiser's server; any 2xx ends it. At least once by nature: a worker that
     * dies between the answer and its row calls again, with the same conversion_id.
     */
    async sendPostback(input: PostbackAttempt): Promise<PostbackResult> {
      const postback = await findPostbackCall(runner(deps.db), input.postbackId);
      if (postback === undefined) throw new Error(`there is no postback ${input.postbackId}`);
      if (postback.status === 'DELIVERED') return { state: 'DELIVERED', outcome: 'BEFORE' };
      const secret = deps.providers.blindIndex(postback.trackingCode, POSTBACK_SECRET_PLACE);
      const unixSeconds = Math.floor(deps.clock().getTime() / 1_000);
      const { isTaken, outcome, tookMs, answer } = await callServer(
        deps.providers.outbound.fetch,
        signPostbackUrl(postback.url, { secret, unixSeconds }),
      );
      const state = isTaken ? 'DELIVERED' : input.nextAfterSeconds === null ? 'DEAD' : 'MISSED';
      const isMissed = state === 'MISSED';
      await moveRows(runner(deps.db), postbacks, {
        state: 'status',
        action: isMissed ? 'miss' : isTaken ? 'deliver' : 'give_up',
        where: { id: input.postbackId },
        set: {
          attempts: Math.max(postback.attempts, input.attempt),
          lastOutcome: outcome,
          tookMs,
          answer,
          nextAttemptAt: isMissed ? secondsFromNow(input.nextAfterSeconds ?? 0) : null,
          deliveredAt: isTaken ? NOW : null,
          updatedAt: NOW,
        },
      });
      return { state, outcome };
    },

    /** A dead letter from its beginning again. Raises not_found, and state_conflict for any other. */
    async resendPostback(key: PostbackKey): Promise<void> {
      await runStep(deps.db, 'postback.resend', async (tx) => {
        const postback = await moveRow(runner(deps.db, tx), postbacks, {
          state: 'status',
          action: 'send_again',
          where: key,
          set: { nextAttemptAt: NOW, updatedAt: NOW },
        });
        await startSending(deps, tx, postback);
      });
    },
  };
}
