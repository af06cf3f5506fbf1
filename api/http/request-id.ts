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

export const requestIdOf = (req: IncomingMessage): string => ids.get(req) ?? 'none';
