import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

const ids = new WeakMap<IncomingMessage, string>();

/** Every console request has an id; it is in the answer, the log and the audit log. */
export const requestId: RequestHandler = (req, res, next) => {
  const id = randomUUID();
  ids.set(req, id);
  res.setHeader('X-Request-Id', id);
  next();
};

/** A request that never reached the middleware above gets its id when it is asked for. */
export function requestIdOf(req: IncomingMessage): string {
  const known = ids.get(req);
  if (known !== undefined) return known;
  const id = randomUUID();
  ids.set(req, id);
  return id;
}
