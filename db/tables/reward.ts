import { rewardCallbackLifecycle } from '../../domain/lifecycle/reward-callback.ts';
import { decimal, id, ref, state, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const rewards = table('rewards', {
  id: id(),
  /** Null where an older build issued it. */
  requestId: text().orNull(),
  bidId: text(),
  transactionId: text(),
  zoneId: ref(),
  publisherId: ref(),
  adUnit: text(),
  userId: text().byDefault(),
  customData: text().byDefault(),
  watchSeconds: whole(),
  rewardAmount: decimal(),
  rewardItem: text(),
  issuedAt: time(),
  expiresAt: time(),
  grantedAt: time().orNull(),
  payload: text().orNull(),
  signature: text().orNull(),
  keyId: ref().orNull(),
  callbackUrl: text().orNull(),
  callbackStatus: state(rewardCallbackLifecycle).byDefault(),
  callbackAttempts: whole().byDefault(),
  callbackOutcome: text().orNull(),
  callbackAt: time().orNull(),
});
export type RewardRow = Row<typeof rewards>;
