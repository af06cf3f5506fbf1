import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../domain/errors.ts';

/**
 * The body of Node's own request, at most this long. By events: an async iterator makes a promise for
 * each step and takes the stream apart at its end. Raises too_large, and what ended the request early.
 */
export function readBytes(req: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) reject(new DomainError('too_large'));
      else chunks.push(chunk);
    });
    req.once('end', () => resolve(Buffer.concat(chunks)));
    req.once('error', reject);
    req.once('close', () => {
      if (!req.readableEnded) reject(new Error('the request was closed before its end'));
    });
  });
}
