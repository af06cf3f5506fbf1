import { createHash } from 'node:crypto';
import { runner } from '../../db/postgres.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { flag, text } from '../../db/schema/column.ts';
import { columnsOf, readRow, select } from '../../db/schema/selection.ts';
import { idempotencyKeys } from '../../db/tables/idempotency-key.ts';
import type { ActivityDeps } from '../deps.ts';

export interface IdempotentRequest {
  /** `realm:id:METHOD /path`, of a member `id/member`: one person's keys never meet another's. */
  scope: string;
  key: string;
  requestHash: string;
}

/** What a replay sends again. */
export interface StoredAnswer {
  status: number;
  /** JSON text, so that a replay is the same to the byte. */
  body: string;
  location: string | null;
}

/** What whoever took a key finishes or releases it with. */
export interface TakenKey {
  /** The time of taking: an earlier taker's answer is not stored. */
  fence: string;
  /** The request's steps are `<stepKey>:<name>` (activities/core/run-once.ts). */
  stepKey: string;
}

export type IdempotentClaim =
  /** The caller runs the request. */
  | ({ state: 'fresh' } & TakenKey)
  /**
   * A process of before the upgrade began this request and died. Its steps had numbers
   * (`<stepKey>#0`), which do not say what was done: running it under names might do that twice, so
   * it is refused. Such rows are gone 25 hours after the upgrade.
   */
  | ({ state: 'unrepeatable' } & TakenKey)
  | { state: 'replay'; answer: StoredAnswer }
  /** Another request with this key runs right now. */
  | { state: 'busy' }
  | { state: 'mismatch' };

const KEPT_HOURS = 24;
/** Above any request's own deadline: a row left by a killed process may be taken again. */
const ABANDONED_AFTER_SECONDS = 60;

const OUTLIVED = `k.first_at < now() - interval '${KEPT_HOURS} hours'`;

/** Hashed: a caller's text becomes no part of a key, and two scopes cannot be read as one. */
const stepKeyOf = ({ scope, key }: IdempotentRequest, firstAt: string): string =>
  `request:${createHash('sha256')
    .update(JSON.stringify([scope, key, firstAt]))
    .digest('hex')}`;

/** Times as text: a Date would lose the microseconds by which a fence is told from the next. */
const TAKEN = select({
  fence: text().of('k.created_at::text'),
  firstAt: text().of('k.first_at::text'),
  retaken: flag().of('xmax <> 0'),
});
const STORED = select(columnsOf(idempotencyKeys, 'k', ['requestHash', 'status', 'response']));

export function createIdempotencyActivities({ db }: Pick<ActivityDeps, 'db'>) {
  return {
    /**
     * Takes the key for this request, or answers what became of the first one. Whoever lost an
     * abandoned key to a later request can no longer store an answer.
     */
    claimIdempotencyKey: async (request: IdempotentRequest): Promise<IdempotentClaim> => {
      const { scope, key, requestHash } = request;
      const fresh = await readRow(
        runner(db),
        TAKEN,
        `INSERT INTO idempotency_keys AS k (scope, key, request_hash) VALUES ($1, $2, $3)
         ON CONFLICT (scope, key) DO UPDATE
           SET request_hash = EXCLUDED.request_hash, status = NULL, response = NULL,
               created_at = clock_timestamp(), released = false,
               first_at = CASE WHEN ${OUTLIVED} THEN clock_timestamp() ELSE k.first_at END
           WHERE ${OUTLIVED}
              OR (k.status IS NULL AND k.request_hash = EXCLUDED.request_hash
                  AND (k.released OR k.created_at < now() - interval '${ABANDONED_AFTER_SECONDS} seconds'))
         RETURNING ${TAKEN.list}`,
        [scope, key, requestHash],
      );
      if (fresh !== undefined) {
        const stepKey = stepKeyOf(request, fresh.firstAt);
        const isNumbered = fresh.retaken && (await hasSteps(runner(db), request, `${stepKey}#`));
        const state = isNumbered ? 'unrepeatable' : 'fresh';
        return { state, fence: fresh.fence, stepKey };
      }
      const stored = await readRow(
        runner(db),
        STORED,
        `SELECT ${STORED.list} FROM idempotency_keys k WHERE scope = $1 AND key = $2`,
        [scope, key],
      );
      // Released between the two statements: the caller asks again.
      if (stored === undefined) return { state: 'busy' };
      if (stored.requestHash !== requestHash) return { state: 'mismatch' };
      if (stored.status === null || stored.response === null) return { state: 'busy' };
      return { state: 'replay', answer: { status: stored.status, ...stored.response } };
    },

    /** Keeps the answer for 24 h. Nothing happens when the key was taken by a later request. */
    storeIdempotentAnswer: async (
      request: IdempotentRequest,
      fence: string,
      answer: StoredAnswer,
    ): Promise<void> => {
      await runner(db).query(
        `UPDATE idempotency_keys SET status = $4, response = $5
         WHERE scope = $1 AND key = $2 AND created_at = $3::timestamptz AND status IS NULL`,
        [
          request.scope,
          request.key,
          fence,
          answer.status,
          JSON.stringify({ body: answer.body, location: answer.location }),
        ],
      );
    },

    /**
     * Refused: the key is free again, also for another body. Not so when a step had committed before
     * (the first run died after it, and its repeat is refused): then the same request may go on.
     */
    releaseIdempotencyKey: async (request: IdempotentRequest, taken: TakenKey): Promise<void> => {
      if (await hasSteps(runner(db), request, `${taken.stepKey}:`)) {
        await reopen(runner(db), request, taken.fence);
        return;
      }
      await runner(db).query(
        `DELETE FROM idempotency_keys
         WHERE scope = $1 AND key = $2 AND created_at = $3::timestamptz AND status IS NULL`,
        [request.scope, request.key, taken.fence],
      );
    },

    /** Failed on our side, perhaps after an effect: the same request may go on at once. */
    reopenIdempotencyKey: async (request: IdempotentRequest, fence: string): Promise<void> => {
      await reopen(runner(db), request, fence);
    },
  };
}

async function reopen(sql: SqlRunner, request: IdempotentRequest, fence: string): Promise<void> {
  await sql.query(
    `UPDATE idempotency_keys SET released = true
     WHERE scope = $1 AND key = $2 AND created_at = $3::timestamptz AND status IS NULL`,
    [request.scope, request.key, fence],
  );
}

/** By the index of requests' steps by age: only those since the key's first use are looked at. */
async function hasSteps(
  sql: SqlRunner,
  { scope, key }: IdempotentRequest,
  prefix: string,
): Promise<boolean> {
  const { rows } = await sql.query(
    `SELECT 1 FROM idempotency_keys k JOIN effects e
       ON e.key LIKE 'request:%' AND e.created_at >= k.first_at - interval '1 minute'
     WHERE k.scope = $1 AND k.key = $2 AND starts_with(e.key, $3) LIMIT 1`,
    [scope, key, prefix],
  );
  return rows.length > 0;
}
