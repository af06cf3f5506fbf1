import cors from 'cors';
import express, { type Request, Router } from 'express';
import * as yup from 'yup';
import type { RewardRow } from '../../db/tables/reward.ts';
import { DomainError, invalid } from '../../domain/errors.ts';
import { CUSTOM_DATA_CHARS_MAX, PLAIN, USER_ID_CHARS_MAX } from '../../domain/reward.ts';
import type { TrackPayload } from '../../domain/tracking/facts.ts';
import { createRewardKeys } from '../../domain/tracking/reward-keys.ts';
import type { SessionCheck } from '../../domain/tracking/session-key.ts';
import { TRACK_TTL_SECONDS } from '../../domain/tracking/track-id.ts';
import type { ConsoleDeps } from '../deps.ts';
import { flag, oneOf, record, whole, words } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { addCallback, grantFields } from './callback.ts';

/** What of the tracking surface rewards need: both read what that surface has sealed. */
export interface RewardDeps {
  openTrack: (trackId: string) => TrackPayload | null;
  /** Whether a `qa_k` belongs to this request and the browser that asks. */
  checkSession: (sessionKey: string, requestId: string, req: Request) => SessionCheck;
  /** The clock that their seals were stamped by. */
  servingClock: () => Date;
}

const BODY_MAX = '16kb';
const TEXT_CHARS_MAX = 500;

const plain = (max: number) =>
  yup.string().max(max).matches(PLAIN, 'may hold letters, digits and . _ ~ - only');
const tokenFields = {
  track_id: yup.string().required().max(TEXT_CHARS_MAX).meta({ kind: 'token' }),
  user_id: plain(USER_ID_CHARS_MAX),
  custom_data: plain(CUSTOM_DATA_CHARS_MAX),
  qa_k: yup.string().max(TEXT_CHARS_MAX).meta({ kind: 'token' }),
};
const verifyFields = {
  token: yup.string().required().max(TEXT_CHARS_MAX).meta({ kind: 'token' }),
  completed: yup.boolean(),
};

const tokenShape = record(
  {
    token: words(),
    expires_in: whole(),
    transaction_id: words(),
    watch_seconds: whole(),
    reward_amount: yup.number().defined(),
    reward_item: words(),
  },
  'RewardToken',
);
const grantShape = record(
  {
    ...grantFields,
    duplicate: flag(),
    payload: words(),
    signature: words(),
    key_id: whole(),
    callback: oneOf(['queued', 'none']),
  },
  'RewardGrant',
);

/**
 * /ad/reward (interface 4.13): what a viewer earns by watching. Anybody may ask; what
 * is worth something is sealed, timed by our clock, and granted once.
 */
export function rewardRoutes(deps: ConsoleDeps, sealed: RewardDeps): Router {
  const router = Router();
  router.use(cors({ origin: '*', methods: ['GET', 'POST'], maxAge: 86_400 }));
  router.use(express.json({ limit: BODY_MAX }));
  addToken(router, deps, sealed);
  addVerify(router, deps);
  addCallback(router, deps);
  return router;
}

type TokenFields = { [Field in keyof typeof tokenFields]?: string | undefined };

function addToken(router: Router, deps: ConsoleDeps, sealed: RewardDeps): void {
  const keys = createRewardKeys(deps.config.keys.track);
  const about = {
    summary: 'Begin a reward for an ad of a rewarded zone; once per ad, a repeat answers the same',
    rule: 'interface 4.13',
    open: true,
    answer: tokenShape,
    refusals: ['seal_invalid', 'seal_expired'],
  } as const;
  const issue = async (
    fields: TokenFields,
    req: Request,
  ): Promise<yup.InferType<typeof tokenShape>> => {
    const track = openLive(sealed, fields, req);
    const reward = await deps.activities.issueReward({
      requestId: track.requestId,
      bidId: track.bidId,
      zoneId: track.zoneId,
      userId: fields.user_id ?? '',
      customData: fields.custom_data ?? '',
    });
    const { bidId, transactionId } = reward;
    const endsAtMs = reward.expiresAt.getTime();
    const leftMs = endsAtMs - deps.clock().getTime();
    return {
      token: keys.mintToken({ bidId, transactionId, endsAtMs }),
      expires_in: Math.max(0, Math.ceil(leftMs / 1_000)),
      transaction_id: transactionId,
      watch_seconds: reward.watchSeconds,
      reward_amount: reward.rewardAmount,
      reward_item: reward.rewardItem,
    };
  };
  router.get(
    '/token',
    route(
      { ...about, query: yup.object(tokenFields) },
      async ({ query, req }) => await issue(query, req),
    ),
  );
  router.post(
    '/token',
    route(
      { ...about, body: yup.object(tokenFields) },
      async ({ body, req }) => await issue(body, req),
    ),
  );
}

/** The ad that was won, if it is ours, recent, and asked for by the page it was given to. */
function openLive(sealed: RewardDeps, fields: TokenFields, req: Request): TrackPayload {
  const track = sealed.openTrack(fields.track_id ?? '');
  if (track === null) throw new DomainError('seal_invalid');
  const endsAtMs = (track.issuedAt + TRACK_TTL_SECONDS.impression) * 1_000;
  if (sealed.servingClock().getTime() > endsAtMs) throw new DomainError('seal_expired');
  if (track.protocol === 2) {
    const sessionKey = fields.qa_k ?? '';
    if (sessionKey === '') {
      const message = 'An ad of protocol 2 is claimed with its qa_k.';
      throw invalid({ field: 'qa_k', code: 'required', message });
    }
    const session = sealed.checkSession(sessionKey, track.requestId, req);
    if (session !== 'ok') {
      throw new DomainError(session === 'expired' ? 'seal_expired' : 'seal_invalid');
    }
  }
  return track;
}

type VerifyFields = { token?: string | undefined; completed?: boolean | undefined };

function addVerify(router: Router, deps: ConsoleDeps): void {
  const keys = createRewardKeys(deps.config.keys.track);
  const about = {
    summary: 'Grant the reward once its video can have been watched; a repeat grants nothing more',
    rule: 'interface 4.13',
    open: true,
    answer: grantShape,
    refusals: ['seal_invalid', 'seal_expired', 'reward_too_early', 'state_conflict'],
  } as const;
  const grant = async (fields: VerifyFields): Promise<yup.InferType<typeof grantShape>> => {
    const token = keys.openToken(fields.token ?? '');
    if (token === null) throw new DomainError('seal_invalid');
    if (deps.clock().getTime() > token.endsAtMs) throw new DomainError('seal_expired');
    if (fields.completed === false) {
      throw new DomainError('state_conflict', { message: 'The video was not watched.' });
    }
    const { reward, isDuplicate } = await deps.activities.grantReward(token);
    return presentGrant(reward, isDuplicate);
  };
  router.get(
    '/verify',
    route({ ...about, query: yup.object(verifyFields) }, async ({ query }) => await grant(query)),
  );
  router.post(
    '/verify',
    route({ ...about, body: yup.object(verifyFields) }, async ({ body }) => await grant(body)),
  );
}

function presentGrant(reward: RewardRow, isDuplicate: boolean): yup.InferType<typeof grantShape> {
  const { payload, signature, keyId, grantedAt } = reward;
  if (payload === null || signature === null || keyId === null || grantedAt === null) {
    throw new Error(`reward ${reward.id} is not granted`);
  }
  return {
    verified: true,
    duplicate: isDuplicate,
    transaction_id: reward.transactionId,
    user_id: reward.userId,
    custom_data: reward.customData,
    reward_amount: reward.rewardAmount,
    reward_item: reward.rewardItem,
    timestamp: grantedAt.toISOString(),
    payload,
    signature,
    key_id: keyId,
    callback: reward.callbackUrl === null ? 'none' : 'queued',
  };
}
