import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { findPostback } from '../../db/queries/postbacks.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import {
  fillPostbackUrl,
  POSTBACK_RETRY_SECONDS,
  type PostbackValues,
  signPostbackUrl,
} from '../../domain/tracking/postback.ts';
import {
  POSTBACK_WORKFLOW,
  type PostbackAttempt,
  type PostbackInput,
  type PostbackResult,
  postbackWorkflowId,
} from '../../workflows/contracts/postback.ts';
import type { ActivityDeps } from '../deps.ts';
import { runStep } from '../core/run-once.ts';

export interface NewPostback {
  trackerId: number;
  advertiserId: number;
  conversionId: number;
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
  postback: NewPostback,
): Promise<void> {
  const url = fillPostbackUrl(postback.template, postback.values);
  if (url === null) {
    deps.log.warn({ tracker: postback.trackerId }, 'postback_url leads elsewhere when filled');
    return;
  }
  const { rows } = await runner(deps.db, tx).query<{ id: string }>(
    `INSERT INTO postbacks (tracker_id, advertiser_id, conversion_id, url)
     VALUES ($1, $2, $3, $4) ON CONFLICT (conversion_id) DO NOTHING RETURNING id`,
    [postback.trackerId, postback.advertiserId, postback.conversionId, url],
  );
  const [row] = rows;
  if (row !== undefined) await startSending(deps, tx, { id: Number(row.id), attempts: 0 });
}

async function startSending(
  deps: ActivityDeps,
  tx: Transaction,
  postback: { id: number; attempts: number },
): Promise<void> {
  const input: PostbackInput = {
    postbackId: postback.id,
    firstAttempt: postback.attempts + 1,
    retryAfterSeconds: POSTBACK_RETRY_SECONDS,
  };
  const workflowId = postbackWorkflowId(input);
  await deps.outbox.enqueue(tx, {
    kind: 'workflow_start',
    dedupeKey: `start:${workflowId}`,
    payload: {
      workflowId,
      type: POSTBACK_WORKFLOW,
      taskQueue: 'calls',
      input,
      summary: `Postback ${postback.id}`,
    },
  });
}

export interface OwnedPostback {
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
      const postback = await findPostback(runner(deps.db), input.postbackId);
      if (postback === undefined) throw new Error(`there is no postback ${input.postbackId}`);
      if (postback.status === 'DELIVERED') return { state: 'DELIVERED', outcome: 'BEFORE' };
      const secret = deps.providers.blindIndex(postback.trackingCode, POSTBACK_SECRET_PLACE);
      const unixSeconds = Math.floor(deps.clock().getTime() / 1_000);
      const answer = await deps.providers.outbound.fetch(
        signPostbackUrl(postback.url, { secret, unixSeconds }),
        { types: null, whenLarger: 'cut' },
      );
      const outcome = answer.ok ? `HTTP_${answer.status}` : answer.reason;
      const isTaken = answer.ok && answer.status >= 200 && answer.status < 300;
      const state = isTaken ? 'DELIVERED' : input.nextAfterSeconds === null ? 'DEAD' : 'MISSED';
      await runner(deps.db).query(
        `UPDATE postbacks SET status = $2, attempts = GREATEST(attempts, $3), last_outcome = $4,
           next_attempt_at = CASE WHEN $2 = 'PENDING' THEN now() + $5 * interval '1 second' END,
           delivered_at = CASE WHEN $2 = 'DELIVERED' THEN now() END, updated_at = now()
         WHERE id = $1 AND status = 'PENDING' RETURNING id`,
        [
          input.postbackId,
          state === 'MISSED' ? 'PENDING' : state,
          input.attempt,
          outcome,
          input.nextAfterSeconds ?? 0,
        ],
      );
      return { state, outcome };
    },

    /** A dead letter from its beginning again. Raises not_found, and state_conflict for any other. */
    async resendPostback(key: OwnedPostback): Promise<void> {
      await runStep(deps.db, 'postback.resend', async (tx) => {
        const sql = runner(deps.db, tx);
        const owned = [key.id, key.trackerId, key.advertiserId];
        const { rows } = await sql.query<{ attempts: number }>(
          `UPDATE postbacks SET status = 'PENDING', next_attempt_at = now(), updated_at = now()
           WHERE id = $1 AND tracker_id = $2 AND advertiser_id = $3 AND status = 'DEAD'
           RETURNING attempts`,
          owned,
        );
        const [dead] = rows;
        if (dead !== undefined) {
          await startSending(deps, tx, { id: key.id, attempts: dead.attempts });
          return;
        }
        const found = await sql.query<{ status: string }>(
          'SELECT status FROM postbacks WHERE id = $1 AND tracker_id = $2 AND advertiser_id = $3',
          owned,
        );
        const [other] = found.rows;
        if (other === undefined) throw notFound();
        throw conflict('Only a dead letter is sent again.', { from: other.status });
      });
    },
  };
}
