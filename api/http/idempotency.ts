import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type {
  createIdempotencyActivities,
  IdempotentClaim,
  IdempotentRequest,
  StoredAnswer,
  TakenKey,
} from '../../activities/core/idempotency.ts';
import { endProcessAt, inKeyedRequest } from '../../activities/core/run-once.ts';
import { conflict, DomainError, invalid } from '../../domain/errors.ts';
import { identityOf, personKeyOf } from './auth.ts';

const HEADER = 'Idempotency-Key';
/** Printable ASCII, as an HTTP header can carry it. */
const KEY_PATTERN = /^[\u0021-\u007e]{1,255}$/;
const BUSY_WAIT_MS = 5_000;
const BUSY_POLL_MS = 100;
/** When all is done but the answer is not kept, as CRASH_AT names it. */
const BEFORE_ANSWER = 'before:answer.store';

interface Deps {
  activities: ReturnType<typeof createIdempotencyActivities>;
  config: { crashAt: string };
  log: Logger;
}

/**
 * `Idempotency-Key` on POST (interface 2.1): for 24 h the same key and body replay the stored answer
 * with its status, another body is 409. Behind auth.require and the body parser. A request that a
 * crash left without its answer is run again: what it had committed is not done twice
 * (activities/core/run-once.ts). Uploads pass through: the same bytes of one account are one asset anyway.
 */
export function idempotency(deps: Deps): RequestHandler {
  return async (req, res, next) => {
    const key = req.get(HEADER);
    const isUpload = typeof req.is('multipart/form-data') === 'string';
    if (req.method !== 'POST' || key === undefined || isUpload) {
      next();
      return;
    }
    if (!KEY_PATTERN.test(key)) {
      throw invalid({ field: HEADER, code: 'format', message: '1 to 255 printable characters' });
    }
    const request = requestOf(req, key);
    const claim = await claimPatiently(deps, request);
    switch (claim.state) {
      case 'mismatch':
        throw new DomainError('idempotency_mismatch');
      case 'busy':
        throw conflict('A request with this Idempotency-Key is still running.', { retry_after: 1 });
      case 'replay':
        replay(res, claim.answer);
        return;
      case 'unrepeatable':
        keepAnswer(deps, res, { request, taken: claim });
        throw conflict('Begun before an upgrade: see what it did, then use another key.');
      case 'fresh':
        keepAnswer(deps, res, { request, taken: claim });
        inKeyedRequest(claim.stepKey, deps.config.crashAt, next);
    }
  };
}

function requestOf(req: Request, key: string): IdempotentRequest {
  const identity = identityOf(req);
  const path = `${req.baseUrl}${req.path}`;
  return {
    scope: `${identity.realm}:${personKeyOf(identity)}:${req.method} ${path}`,
    key,
    requestHash: createHash('sha256')
      .update(canonical(req.body ?? null))
      .digest('hex'),
  };
}

/** JSON with sorted names, so that the same request in another order is the same request. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** A parallel request waits for the first one's answer, up to 5 s. */
async function claimPatiently(deps: Deps, request: IdempotentRequest): Promise<IdempotentClaim> {
  const deadline = Date.now() + BUSY_WAIT_MS;
  for (;;) {
    const claim = await deps.activities.claimIdempotencyKey(request);
    if (claim.state !== 'busy' || Date.now() >= deadline) return claim;
    await sleep(BUSY_POLL_MS);
  }
}

function replay(res: Response, answer: StoredAnswer): void {
  if (answer.location !== null) res.location(answer.location);
  res.setHeader('Idempotent-Replayed', 'true');
  res.status(answer.status).type('application/json').send(answer.body);
}

const unkept = new WeakSet<Response>();

/**
 * Of an answer that holds a secret: it lies nowhere in plain. The same request again runs again, finds
 * its steps done, and makes its answer of what they left.
 */
export const keepNoAnswer = (res: Response): void => {
  unkept.add(res);
};

/**
 * The answer is stored before it is sent, so whoever got one gets it again. An answer that asks the
 * caller to come back (5xx, 429) or to do something else first (401, 403, 412) is not kept.
 */
function keepAnswer(
  deps: Deps,
  res: Response,
  { request, taken }: { request: IdempotentRequest; taken: TakenKey },
): void {
  const send = res.json.bind(res);
  const { fence } = taken;
  const conclude = async (body: unknown): Promise<void> => {
    endProcessAt(deps.config.crashAt, BEFORE_ANSWER);
    try {
      if (unkept.has(res)) {
        await deps.activities.reopenIdempotencyKey(request, fence);
      } else if (isFinal(res.statusCode)) {
        const location = res.getHeader('Location');
        await deps.activities.storeIdempotentAnswer(request, fence, {
          status: res.statusCode,
          body: JSON.stringify(body),
          location: typeof location === 'string' ? location : null,
        });
      } else if (res.statusCode >= 500) {
        await deps.activities.reopenIdempotencyKey(request, fence);
      } else {
        await deps.activities.releaseIdempotencyKey(request, taken);
      }
    } catch (error) {
      // The request itself is done; its key is free again once it counts as abandoned.
      deps.log.error({ err: error, scope: request.scope }, 'idempotent answer was not stored');
    }
  };
  res.json = (body: unknown) => {
    res.json = send;
    void conclude(body).then(() => send(body));
    return res;
  };
}

const NOT_FINAL = new Set([401, 403, 412, 429]);

const isFinal = (status: number): boolean => status < 500 && !NOT_FINAL.has(status);
