import type { ServerResponse } from 'node:http';
import { AnswerHead } from './answer-head.ts';
import { bytesAsText, endWith } from './byte-text.ts';
import { NO_PAGE } from './safe-headers.ts';

/** 1x1, transparent. */
const GIF = bytesAsText(
  Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
);

const HEAD = new AnswerHead({
  'Content-Type': 'image/gif',
  'Cache-Control': 'no-store, no-cache, must-revalidate, private',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': NO_PAGE,
  'Referrer-Policy': 'no-referrer',
});

/** The same bytes and headers whatever became of the event (interface 4.14); Node's own response. */
export function sendPixel(res: ServerResponse): void {
  HEAD.write(res, 200, GIF.length);
  endWith(res, GIF);
}
