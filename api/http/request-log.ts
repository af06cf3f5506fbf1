import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { requestIdOf } from './request-id.ts';
import { whoOf } from './security-log.ts';

/** One line per console request: ids and durations, never bodies, addresses or query strings. */
export function requestLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = process.hrtime.bigint();
    res.on('finish', () => {
      log.info(
        {
          request_id: requestIdOf(req),
          method: req.method,
          path: req.originalUrl.split('?', 1)[0],
          status: res.statusCode,
          ...whoOf(req),
          ms: Number((process.hrtime.bigint() - startedAt) / 1_000_000n),
        },
        'request',
      );
    });
    next();
  };
}
