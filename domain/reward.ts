import { DomainError } from './errors.ts';

/**
 * Rewards for watched videos, verified from server to server (interface 4.13). The callback has
 * AdMob's form, so verifiers that publishers already have read it.
 */
export interface GrantedReward {
  transactionId: string;
  adUnit: string;
  userId: string;
  customData: string;
  rewardAmount: number;
  rewardItem: string;
  grantedAt: Date;
}

/** Longer than any video, so that a viewer who answers a call keeps the reward. */
const TOKEN_GRACE_SECONDS = 900;
/** Clocks of the page's start and of our stamp differ by a moment. */
const WATCH_GRACE_SECONDS = 1;
const CALLBACK_AGE_MAX_MS = 900_000;
const AD_NETWORK = 'adplatform';

export const USER_ID_CHARS_MAX = 128;
export const CUSTOM_DATA_CHARS_MAX = 512;
/**
 * Some verifiers read the raw query and some the decoded one: only characters that need no escape
 * are the same bytes to both.
 */
export const PLAIN = /^[A-Za-z0-9._~-]*$/;

/** A zone's `reward_type` is a name for people; every other character becomes a dash. */
export const rewardItemOf = (rewardType: string): string =>
  rewardType.replace(/[^A-Za-z0-9._~-]/gu, '-');

export const tokenExpiry = (issuedAtMs: number, watchSeconds: number): number =>
  issuedAtMs + (watchSeconds + TOKEN_GRACE_SECONDS) * 1_000;

/** Milliseconds until the video can have been watched; 0 when it can. */
export const watchLeftMs = (issuedAtMs: number, watchSeconds: number, nowMs: number): number =>
  Math.max(0, issuedAtMs + (watchSeconds - WATCH_GRACE_SECONDS) * 1_000 - nowMs);

/** Raised with the seconds after which it is worth asking again. */
export const tooEarly = (message: string, leftMs: number): DomainError =>
  new DomainError('reward_too_early', {
    message,
    hints: { retry_after: Math.max(1, Math.ceil(leftMs / 1_000)) },
  });

/** The signed part of a callback: parameters in alphabetical order, nothing escaped. */
export function callbackPayload(reward: GrantedReward): string {
  const fields = {
    ad_network: AD_NETWORK,
    ad_unit: reward.adUnit,
    custom_data: reward.customData,
    reward_amount: String(reward.rewardAmount),
    reward_item: reward.rewardItem,
    timestamp: String(reward.grantedAt.getTime()),
    transaction_id: reward.transactionId,
    user_id: reward.userId,
  };
  return Object.entries(fields)
    .map(([name, value]) => {
      if (!PLAIN.test(value)) throw new RangeError(`${name} cannot stand in a signed query`);
      return `${name}=${value}`;
    })
    .join('&');
}

/** `signature` and `key_id` come last, in this order: what stands behind a signature is not signed. */
export const callbackQuery = (payload: string, signature: string, keyId: number): string =>
  `${payload}&signature=${signature}&key_id=${keyId}`;

export interface ReceivedCallback {
  payload: string;
  signature: string;
  keyId: number;
  fields: URLSearchParams;
}

/** Null when it is not exactly a payload, a signature and a key id. */
export function readCallback(query: string): ReceivedCallback | null {
  const match = /^(.{1,2000})&signature=([A-Za-z0-9_-]{20,200})&key_id=(\d{1,10})$/.exec(query);
  if (match === null) return null;
  const [, payload = '', signature = '', keyId = ''] = match;
  if (/(^|&)(signature|key_id)=/.test(payload)) return null;
  return { payload, signature, keyId: Number(keyId), fields: new URLSearchParams(payload) };
}

export const isFresh = (timestamp: string | null, nowMs: number): boolean =>
  timestamp !== null &&
  /^\d{13}$/.test(timestamp) &&
  Math.abs(nowMs - Number(timestamp)) <= CALLBACK_AGE_MAX_MS;
