import type { ServerResponse } from 'node:http';

declare const bytesOfUtf8: unique symbol;

/**
 * The bytes of a text in UTF-8, one character each (Latin-1). Answers are put together from pieces of
 * these: nothing is encoded twice, the length is the Content-Length, and Node sends headers and text
 * as one string.
 */
export type ByteText = string & { readonly [bytesOfUtf8]: true };

export const byteText = (text: string): ByteText =>
  Buffer.from(text).toString('latin1') as ByteText;

/** For what has no character beyond ASCII, which is its own bytes. */
export const asciiText = (text: string): ByteText => text as ByteText;

export function endWith(res: ServerResponse, text: ByteText): void {
  res.end(text, 'latin1');
}
