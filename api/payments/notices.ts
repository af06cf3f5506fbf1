import express, { Router } from 'express';
import type { NoticeVerdict } from '../../activities/deposits/provider-notices.ts';
import { railOf } from '../../activities/providers/deposit-rails.ts';
import { rateLimitKey } from '../../db/keys.ts';
import type { RailMethod } from '../../domain/deposit-terms.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { consumed, createLimiter, hashed, secondsLeft } from '../http/rate-limit.ts';

/** A notification has a few hundred bytes; what is longer is nobody's. */
const NOTICE_MAX = '32kb';
/** Providers repeat by the minute; more than this is an attack on the store of notifications. */
const NOTICES_PER_MINUTE = 600;
/** What of the headers is kept: what is signed, and who says it. */
const KEPT = /^(content-type|user-agent|wechatpay-[a-z-]+)$/;

/**
 * interface 4.6: POST /payments/{method}/notices, which providers call. The bytes are stored first; an
 * answer that says "taken" means that the order will be asked about. Anything else has it sent again.
 */
export function noticeRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const limiter = createLimiter(deps.redis, { points: NOTICES_PER_MINUTE, seconds: 60 });
  const raw = express.raw({ type: () => true, limit: NOTICE_MAX });

  router.post('/:method/notices', raw, async (req, res) => {
    const method = railOf(String(req.params['method']));
    if (method === undefined) throw notFound();
    const made = await consumed(limiter, rateLimitKey('notices', hashed(req.ip ?? ''), 0));
    if (made.consumedPoints > NOTICES_PER_MINUTE) {
      throw new DomainError('rate_limited', { hints: { retry_after: secondsLeft(made) } });
    }
    const verdict = await deps.activities.takeNotice(method, {
      headers: Object.fromEntries(
        Object.entries(req.headers).flatMap(([name, value]) =>
          KEPT.test(name) && typeof value === 'string' ? [[name, value]] : [],
        ),
      ),
      body: Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0),
    });
    if (verdict !== 'TAKEN') {
      deps.log.warn({ provider: method, verdict }, 'a notification of a payment was not taken');
    }
    const { status, type, body } = replyOf(method, verdict);
    res.status(status).type(type).send(body);
  });

  return router;
}

/** In each provider's own words. What is forged learns nothing but that it was not taken. */
function replyOf(
  method: RailMethod,
  verdict: NoticeVerdict,
): { status: number; type: string; body: string } {
  const isTaken = verdict === 'TAKEN';
  if (method === 'WECHAT') {
    const body = isTaken ? { code: 'SUCCESS' } : { code: 'FAIL', message: 'not taken' };
    return { status: isTaken ? 200 : 401, type: 'json', body: JSON.stringify(body) };
  }
  return { status: isTaken ? 200 : 400, type: 'text/plain', body: isTaken ? 'success' : 'fail' };
}
