import { randomBytes } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import {
  findReward,
  findRewardZone,
  impressionVerdicts,
  lockReward,
  type RewardRow,
  type RewardZone,
} from '../../db/queries/rewards.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { conflict, invalid } from '../../domain/errors.ts';
import {
  callbackPayload,
  callbackQuery,
  rewardItemOf,
  tokenExpiry,
  tooEarly,
  watchLeftMs,
} from '../../domain/reward.ts';
import type { Reason } from '../../domain/tracking/facts.ts';
import { zoneSettings } from '../../domain/zone-settings.ts';
import {
  REWARD_CALLBACK_WORKFLOW,
  type RewardCallbackAttempt,
  type RewardCallbackInput,
  type RewardCallbackResult,
  rewardCallbackWorkflowId,
} from '../../workflows/contracts/reward-callback.ts';
import type { ActivityDeps } from '../deps.ts';

export interface IssueReward {
  bidId: string;
  zoneId: number;
  userId: string;
  customData: string;
}

export interface Grant {
  reward: RewardRow;
  /** Granted by an earlier call; nothing happened now. */
  isDuplicate: boolean;
}

/** A publisher's server is called at once, then after each of these (interface 4.13). */
const RETRY_AFTER_SECONDS = [1, 5, 30, 300];

/**
 * The viewer did their part: that the same ad was counted a moment ago, or that its advertiser's
 * money ran out, is not theirs to answer for.
 */
const REWARDED_ALL_THE_SAME: ReadonlySet<Reason> = new Set([
  'DUPLICATE_IMPRESSION',
  'BUDGET_EXCEEDED',
  'BALANCE_EXHAUSTED',
]);

export function createRewardActivities(deps: ActivityDeps) {
  return {
    /**
     * One reward per won ad: a repeat answers the first one, whatever it says of the user. Raises
     * 422 for a zone that gives none.
     */
    async issueReward(input: IssueReward): Promise<RewardRow> {
      return await inTransaction(deps.db, async (tx) => {
        const sql = runner(deps.db, tx);
        const before = await findReward(sql, input);
        if (before !== undefined) return before;
        const zone = await findRewardZone(sql, input.zoneId);
        await insertReward(sql, { input, zone, issuedAt: deps.clock() });
        const issued = await findReward(sql, input);
        if (issued === undefined) throw new Error(`reward of bid ${input.bidId} was not written`);
        return issued;
      });
    },

    /**
     * Grants once, and reports it to the publisher's server when there is one. Raises reward_too_early while
     * the video cannot have been watched or its impression is not judged, state_conflict when that
     * impression was refused.
     */
    async grantReward({ transactionId }: { transactionId: string }): Promise<Grant> {
      return await inTransaction(deps.db, async (tx) => {
        const sql = runner(deps.db, tx);
        const reward = await lockReward(sql, transactionId);
        if (reward === undefined) throw conflict('There is no such reward.');
        if (reward.grantedAtMs !== null) return { reward, isDuplicate: true };
        const now = deps.clock();
        const leftMs = watchLeftMs(reward.issuedAtMs, reward.watchSeconds, now.getTime());
        if (leftMs > 0) throw tooEarly('The video has not been watched yet.', leftMs);
        assertShown(await impressionVerdicts(sql, reward.bidId));
        await writeGrant(deps, tx, { reward, now });
        const granted = await findReward(sql, { id: reward.id });
        if (granted === undefined) throw new Error(`reward ${reward.id} vanished`);
        return { reward: granted, isDuplicate: false };
      });
    },

    /**
     * One call of the publisher's server; any 2xx ends it. At least once by nature: a worker that
     * dies between the answer and its row calls again, with the same transaction_id.
     */
    async sendRewardCallback(input: RewardCallbackAttempt): Promise<RewardCallbackResult> {
      const reward = await findReward(runner(deps.db), { id: input.rewardId });
      const address = callbackAddress(reward);
      if (reward?.callbackStatus === 'DELIVERED') return { state: 'DELIVERED', outcome: 'BEFORE' };
      const outcome = await call(deps, address);
      const isTaken = /^HTTP_2\d\d$/.test(outcome);
      const state = isTaken ? 'DELIVERED' : input.isLast ? 'FAILED' : 'MISSED';
      await runner(deps.db).query(
        `UPDATE rewards SET callback_status = $2, callback_attempts = GREATEST(callback_attempts, $3),
           callback_outcome = $4, callback_at = $5 WHERE id = $1 AND callback_status <> 'DELIVERED'`,
        [
          input.rewardId,
          state === 'MISSED' ? 'QUEUED' : state,
          input.attempt,
          outcome,
          deps.clock().toISOString(),
        ],
      );
      return { state, outcome };
    },
  };
}

/** Two calls at once race for the unique bid; the loser reads what the winner wrote. */
async function insertReward(
  sql: SqlRunner,
  { input, zone, issuedAt }: { input: IssueReward; zone: RewardZone | undefined; issuedAt: Date },
): Promise<void> {
  const terms = zone === undefined ? undefined : zoneSettings(zone.type, zone.settings).rewarded;
  if (zone === undefined || terms === undefined) {
    const message = 'The zone of this ad gives no rewards.';
    throw invalid({ field: 'track_id', code: 'not_rewarded', message });
  }
  await sql.query(
    `INSERT INTO rewards (bid_id, transaction_id, zone_id, publisher_id, ad_unit, user_id, custom_data,
       watch_seconds, reward_amount, reward_item, issued_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (bid_id) DO NOTHING`,
    [
      input.bidId,
      randomBytes(16).toString('hex'),
      zone.id,
      zone.publisherId,
      zone.zoneKey,
      input.userId,
      input.customData,
      terms.watch_seconds,
      terms.reward_amount,
      rewardItemOf(terms.reward_type),
      issuedAt.toISOString(),
      new Date(tokenExpiry(issuedAt.getTime(), terms.watch_seconds)).toISOString(),
    ],
  );
}

/** Only an ad that was shown is rewarded; settlement is at most moments behind. */
function assertShown(verdicts: readonly (Reason | null)[]): void {
  if (verdicts.length === 0) throw tooEarly('The impression of this ad is not counted yet.', 1_000);
  const isAccepted = verdicts.some(
    (reason) => reason === null || REWARDED_ALL_THE_SAME.has(reason),
  );
  if (!isAccepted) throw conflict('The impression of this ad was not accepted.');
}

async function writeGrant(
  deps: ActivityDeps,
  tx: Transaction,
  { reward, now }: { reward: RewardRow; now: Date },
): Promise<void> {
  const sql = runner(deps.db, tx);
  const payload = callbackPayload({ ...reward, grantedAtMs: now.getTime() });
  const { signature, keyId } = deps.providers.rewardKeys.sign(payload);
  const { rows } = await sql.query<{ callback_url: string | null }>(
    `UPDATE rewards r SET granted_at = $2, payload = $3, signature = $4, key_id = $5,
       callback_url = z.reward_callback_url,
       callback_status = CASE WHEN z.reward_callback_url IS NULL THEN 'NONE' ELSE 'QUEUED' END
     FROM zones z WHERE r.id = $1 AND z.id = r.zone_id RETURNING r.callback_url`,
    [reward.id, now.toISOString(), payload, signature, keyId],
  );
  if ((rows[0]?.callback_url ?? null) === null) return;
  const input: RewardCallbackInput = {
    rewardId: reward.id,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  };
  await deps.outbox.enqueue(tx, {
    kind: 'workflow_start',
    dedupeKey: rewardCallbackWorkflowId(reward.id),
    payload: {
      workflowId: rewardCallbackWorkflowId(reward.id),
      type: REWARD_CALLBACK_WORKFLOW,
      taskQueue: 'calls',
      input,
      summary: `Tell a publisher's server of reward ${reward.id}`,
    },
  });
}

/** Exactly what was signed when the reward was granted, whatever the zone says now. */
function callbackAddress(reward: RewardRow | undefined): string {
  const { callbackUrl = null, payload = null, signature = null, keyId = null } = reward ?? {};
  if (callbackUrl === null || payload === null || signature === null || keyId === null) {
    throw new Error('this reward has nobody to be told');
  }
  return `${callbackUrl}?${callbackQuery(payload, signature, keyId)}`;
}

/** A redirect is no answer: what was signed for one address is not handed to another. */
async function call(deps: ActivityDeps, address: string): Promise<string> {
  const answer = await deps.providers.outbound.fetch(address, {
    types: null,
    whenLarger: 'cut',
    redirectsMax: 0,
  });
  return answer.ok ? `HTTP_${answer.status}` : answer.reason;
}
