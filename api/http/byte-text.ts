import type { ServerResponse } from 'node:http';
import { afterTurn } from './turn.ts';

declare const bytesOfUtf8: unique symbol;

/**
 * The bytes of a text in UTF-8, one character each (Latin-1). Answers are put together from pieces of
 * these: nothing is encoded twice, the length is the Content-Length, and Node sends headers and text
 * as one string.
 */
export type ByteText = string & { readonly [bytesOfUtf8]: true };

export const byteText = (text: string): ByteText => bytesAsText(Buffer.from(text));

export const bytesAsText = (bytes: Buffer): ByteText => bytes.toString('latin1') as ByteText;

/** For what has no character beyond ASCII, which is its own bytes. */
export const asciiText = (text: string): ByteText => text as ByteText;

/** What Node keeps of an answer whose head is written. */
interface Written {
  _header?: unknown;
  _hasBody?: unknown;
}

/**
 * Behind the head, as one string with it. By `end(text)` Node corks its socket, writes the text and an
 * empty one, and sends a list of two: a third of what a small answer costs (test/api/http/byte-text.test.ts
 * holds that what arrives is the same).
 */
export function endWith(res: ServerResponse, text: ByteText): void {
  const written = res as Written;
  // An `end` of its own is somebody who looks at what is answered.
  const isWatched = Object.hasOwn(res, 'end');
  if (typeof written._header === 'string' && written._hasBody === true && !isWatched) {
    written._header += text;
    afterTurn(() => res.end());
  } else res.end(text, 'latin1');
}
