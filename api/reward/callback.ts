import type { Request, Router } from 'express';
import * as yup from 'yup';
import { DomainError } from '../../domain/errors.ts';
import { isFresh, readCallback } from '../../domain/reward.ts';
import { createRewardKeys } from '../../domain/tracking/reward-keys.ts';
import type { ConsoleDeps } from '../deps.ts';
import { flag, listOf, record, time, whole, words } from '../http/response-shapes.ts';
import { envelope } from '../http/envelope.ts';
import { route, SENT } from '../http/route.ts';

/** Fields that a grant and its callback have in common. */
export const grantFields = {
  verified: flag(),
  transaction_id: words(),
  user_id: words(),
  custom_data: words(),
  reward_amount: yup.number().defined(),
  reward_item: words(),
  timestamp: time(),
};
const keyShape = record({ keyId: whole(), pem: words(), base64: words() });

const FIELD_CHARS_MAX = 1_000;
const KEYS_FRESH_SECONDS = 3_600;

/** What a publisher's server needs: the keys, and a check that it does as we do. */
export function addCallback(router: Router, deps: ConsoleDeps): void {
  const keys = createRewardKeys(deps.config.keys.track);
  const published = listOf(keyShape);
  router.get(
    '/keys',
    route(
      {
        summary: 'List the public keys that reward callbacks are signed with',
        rule: 'interface 4.13',
        open: true,
        answer: record({ keys: published }),
        raw: {
          200: {
            description: 'The keys; at the top level too, where stock verifiers look.',
            type: 'application/json',
            shape: record(
              {
                code: whole(),
                message: words(),
                data: record({ keys: published }),
                timestamp: whole(),
                keys: published,
              },
              'RewardKeys',
            ),
          },
          422: { description: 'It takes no parameters.', type: 'application/json' },
        },
      },
      async ({ res }) => {
        const list = keys.published();
        res.set('Cache-Control', `public, max-age=${KEYS_FRESH_SECONDS}`);
        res.json({ ...envelope({ keys: list }), keys: list });
        return await Promise.resolve(SENT);
      },
    ),
  );
  router.get(
    '/ssv-callback',
    route(
      {
        summary: 'Check a reward callback of ours, as a publisher without a server would',
        rule: 'interface 4.13',
        open: true,
        query: yup.object(callbackFields),
        answer: record(grantFields, 'RewardCallback'),
        refusals: ['seal_invalid', 'seal_expired'],
      },
      async ({ req }) => await Promise.resolve(checkCallback(deps, keys, req)),
    ),
  );
}

const text = () => yup.string().max(FIELD_CHARS_MAX);
const callbackFields = {
  ad_network: text(),
  ad_unit: text(),
  custom_data: text(),
  reward_amount: text(),
  reward_item: text(),
  timestamp: text(),
  transaction_id: text(),
  user_id: text(),
  signature: text(),
  key_id: text(),
};

/** The bytes that arrived are what was signed: nothing is decoded before it is verified. */
function checkCallback(
  deps: ConsoleDeps,
  keys: ReturnType<typeof createRewardKeys>,
  req: Request,
): { [Field in keyof typeof grantFields]: yup.InferType<(typeof grantFields)[Field]> } {
  const callback = readCallback(req.originalUrl.split('?').slice(1).join('?'));
  if (callback === null) {
    const message = 'A callback ends with its signature and key_id, in this order.';
    throw new DomainError('malformed_request', { message });
  }
  const { payload, signature, keyId, fields } = callback;
  if (!keys.verify(payload, signature, keyId)) throw new DomainError('seal_invalid');
  const timestamp = fields.get('timestamp');
  if (!isFresh(timestamp, deps.clock().getTime())) throw new DomainError('seal_expired');
  const field = (name: string): string => fields.get(name) ?? '';
  return {
    verified: true,
    transaction_id: field('transaction_id'),
    user_id: field('user_id'),
    custom_data: field('custom_data'),
    reward_amount: Number(field('reward_amount')),
    reward_item: field('reward_item'),
    timestamp: new Date(Number(timestamp)).toISOString(),
  };
}
