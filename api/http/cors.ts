import cors from 'cors';
import type { RequestHandler } from 'express';

/** Headers of ours that a browser lets a script read, beside those that it always may. */
const READABLE = [
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Sunset',
  'X-Request-Id',
];

const SENDABLE = ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match'];

const PREFLIGHT_SECONDS = 600;

/**
 * Consoles served from the given origins may call the realms from a browser; others may not. Callers
 * are known by their bearer token and never by a cookie, so credentials are not allowed. An origin
 * that is not named gets the answer without permission to read it: that is the browser's check.
 */
export function consoleCors(origins: readonly string[]): RequestHandler {
  return cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: SENDABLE,
    exposedHeaders: READABLE,
    maxAge: PREFLIGHT_SECONDS,
  });
}
