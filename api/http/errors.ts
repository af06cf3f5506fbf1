import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { sqlState } from '../../db/postgres.ts';
import { DomainError, type ErrorToken } from '../../domain/errors.ts';
import { envelope } from './envelope.ts';
import { requestIdOf } from './request-id.ts';
import { logRefusal } from './security-log.ts';

/** Unknown paths answer like unknown rows. */
export const unknownRoute: RequestHandler = () => {
  throw new DomainError('not_found');
};

/** The one place where a failure becomes an answer. Generic text for faults, names for refusals. */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const requestId = requestIdOf(req);
    const refusal = asRefusal(error);
    if (refusal.status >= 500) {
      log.error(
        { err: error, request_id: requestId, method: req.method, path: req.path },
        'request failed',
      );
    }
    logRefusal(log, req, refusal);
    const retryAfter = refusal.hints?.['retry_after'];
    if (typeof retryAfter === 'number') res.setHeader('Retry-After', String(retryAfter));
    res.status(refusal.status).json(
      envelope(
        {
          error: refusal.token,
          ...(refusal.errors === undefined ? {} : { errors: refusal.errors }),
          ...refusal.hints,
          request_id: requestId,
        },
        refusal.message,
        refusal.code,
      ),
    );
  };
}

/** Connection trouble is 503 with nothing half done; whatever we did not expect is 500. */
export function asRefusal(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const parser = error as { status?: unknown; code?: unknown };
  if (parser.code === 'LIMIT_FILE_SIZE') return new DomainError('too_large');
  const { status } = parser;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new DomainError(PARSER_REFUSALS.get(status) ?? 'malformed_request', { cause: error });
  }
  if (UNSTORABLE_TEXT.has(sqlState(error) ?? '')) {
    return new DomainError('malformed_request', { cause: error });
  }
  if (isUnavailable(error)) return new DomainError('unavailable', { cause: error });
  return new DomainError('internal', { cause: error });
}

/** What a body parser or the file sender says with a status of its own; the rest is 400. */
const PARSER_REFUSALS: ReadonlyMap<number, ErrorToken> = new Map([
  [404, 'not_found'],
  [413, 'too_large'],
  [415, 'unsupported_media'],
]);

/** Text that PostgreSQL cannot hold: a NUL character, in a column or inside jsonb. */
const UNSTORABLE_TEXT = new Set(['22021', '22P05']);

const NETWORK_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND']);

function isUnavailable(error: unknown): boolean {
  const { name, message } = error as { name?: unknown; message?: unknown };
  if (typeof name === 'string' && /^SequelizeConnection|^SequelizeHost/.test(name)) return true;
  // The driver has no code for a connection that ended under a running query.
  if (typeof message === 'string' && message.startsWith('Connection terminated')) return true;
  const state = sqlState(error);
  // 57P0x: the server is shutting down or starting; 08xxx: the connection is gone.
  return state !== undefined && (NETWORK_CODES.has(state) || /^(08|57P0)/.test(state));
}
