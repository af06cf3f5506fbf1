import express, { type RequestHandler } from 'express';
import { DomainError } from '../../domain/errors.ts';
import { isTooDeep } from './depth.ts';

const JSON_BODY_MAX = '256kb';

/**
 * JSON bodies only, nested at most 32 deep. Another content type is 415; multipart passes on to the
 * upload routes.
 */
export function jsonBody(): RequestHandler[] {
  return [
    (req, _res, next) => {
      const hasBody =
        req.headers['transfer-encoding'] !== undefined ||
        Number(req.headers['content-length'] ?? 0) > 0;
      const accepted = req.is(['json', 'multipart/form-data']);
      if (hasBody && accepted === false) throw new DomainError('unsupported_media');
      next();
    },
    express.json({ limit: JSON_BODY_MAX, strict: false }),
    (req, _res, next) => {
      // Not the same as none: a request that takes no fields may come without a body.
      if (req.body === null) {
        throw new DomainError('malformed_request', { message: 'A JSON object is expected.' });
      }
      if (isTooDeep(req.body)) {
        throw new DomainError('malformed_request', { message: 'The body is nested too deeply.' });
      }
      next();
    },
  ];
}
