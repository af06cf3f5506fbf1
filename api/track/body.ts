import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../domain/errors.ts';
import { isTooDeep } from '../http/depth.ts';
import { readBytes } from '../http/read-bytes.ts';

const BODY_BYTES_MAX = 8_192;

/**
 * A small JSON object from Node's own request. Any content type: a page may send its report as text
 * to spare the browser's permission round trip. Raises too_large, malformed_request.
 */
export async function readJsonObject(req: IncomingMessage): Promise<Record<string, unknown>> {
  const bytes = await readBytes(req, BODY_BYTES_MAX);
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new DomainError('malformed_request', { cause: error });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new DomainError('malformed_request', { message: 'A JSON object is expected.' });
  }
  if (isTooDeep(body)) {
    throw new DomainError('malformed_request', { message: 'The body is nested too deeply.' });
  }
  return { ...body };
}
