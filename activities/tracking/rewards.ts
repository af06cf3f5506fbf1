import { randomBytes } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import {
  findCallbackUrl,
  findReward,
  findRewardZone,
  impressionVerdicts,
  lockReward,
} from '../../db/queries/rewards.ts';
import { moveRow, moveRows } from '../../db/schema/move.ts';
import { type RewardRow, rewards } from '../../db/tables/reward.ts';
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
  rewardCallbackStart,
  type RewardCallbackAttempt,
  type RewardCallbackInput,
  type RewardCallbackResult,
} from '../../workflows/contracts/reward-callback.ts';
import { startFlow } from '../core/outbox.ts';
import type { ActivityDeps } from '../deps.ts';

export interface IssueReward {
  requestId: string;
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
export const REWARD_RETRY_SECONDS = [1, 5, 30, 300];

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
        await insertReward(deps, tx, input);
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
        if (reward.grantedAt !== null) return { reward, isDuplicate: true };
        const now = deps.clock();
        const leftMs = watchLeftMs(reward.issuedAt.getTime(), reward.watchSeconds, now.getTime());
        if (leftMs > 0) throw tooEarly('The video has not been watched yet.', leftMs);
        assertShown(await impressionVerdicts(sql, reward));
        return { reward: await writeGrant(deps, tx, { reward, now }), isDuplicate: false };
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
      await moveRows(runner(deps.db), rewards, {
        state: 'callbackStatus',
        action: isTaken ? 'deliver' : input.isLast ? 'give_up' : 'miss',
        where: { id: input.rewardId },
        set: {
          callbackAttempts: Math.max(reward?.callbackAttempts ?? 0, input.attempt),
          callbackOutcome: outcome,
          callbackAt: deps.clock(),
        },
      });
      return { state, outcome };
    },
  };
}

/** Two calls at once race for the unique bid; the loser reads what the winner wrote. */
async function insertReward(
  deps: ActivityDeps,
  tx: Transaction,
  { requestId, bidId, zoneId, userId, customData }: IssueReward,
): Promise<void> {
  const zone = await findRewardZone(runner(deps.db, tx), zoneId);
  const terms = zone === undefined ? undefined : zoneSettings(zone.type, zone.settings).rewarded;
  if (zone === undefined || terms === undefined) {
    const message = 'The zone of this ad gives no rewards.';
    throw invalid({ field: 'track_id', code: 'not_rewarded', message });
  }
  const issuedAt = deps.clock();
  const reward = {
    requestId,
    bidId,
    transactionId: randomBytes(16).toString('hex'),
    zoneId: zone.id,
    publisherId: zone.publisherId,
    adUnit: zone.zoneKey,
    userId,
    customData,
    watchSeconds: terms.watch_seconds,
    rewardAmount: terms.reward_amount,
    rewardItem: rewardItemOf(terms.reward_type),
    issuedAt,
    expiresAt: new Date(tokenExpiry(issuedAt.getTime(), terms.watch_seconds)),
  };
  await deps.db.models.rewards.bulkCreate([reward], { ignoreDuplicates: true, transaction: tx });
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
): Promise<RewardRow> {
  const sql = runner(deps.db, tx);
  const payload = callbackPayload({ ...reward, grantedAt: now });
  const grant = { grantedAt: now, payload, ...deps.providers.rewardKeys.sign(payload) };
  const callbackUrl = await findCallbackUrl(sql, reward.zoneId);
  if (callbackUrl === null) {
    const where = { id: reward.id };
    await deps.db.models.rewards.update(grant, { where, transaction: tx });
    return { ...reward, ...grant };
  }
  const granted = await moveRow(sql, rewards, {
    state: 'callbackStatus',
    action: 'queue',
    where: { id: reward.id },
    set: { ...grant, callbackUrl },
  });
  const input: RewardCallbackInput = {
    rewardId: reward.id,
    retryAfterSeconds: REWARD_RETRY_SECONDS,
  };
  await startFlow(deps, tx, rewardCallbackStart(input), { accountId: reward.publisherId });
  return granted;
}

/** Exactly what was signed when the reward was granted, whatever the zone says now. */
function callbackAddress(reward: RewardRow | undefined): string {
  const { callbackUrl = null, payload = null, signature = null, keyId = null } = reward ?? {};
  if (callbackUrl === null || payload === null || signature === null || keyId === null) {
    throw new Error('this reward has no server to be reported to');
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
