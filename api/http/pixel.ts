import type { ServerResponse } from 'node:http';
import { bytesAsText, endWith } from './byte-text.ts';
import { NO_PAGE } from './safe-headers.ts';

/** 1x1, transparent. */
const GIF = bytesAsText(
  Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
);

const HEADERS = {
  'Content-Type': 'image/gif',
  'Content-Length': GIF.length,
  'Cache-Control': 'no-store, no-cache, must-revalidate, private',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': NO_PAGE,
  'Referrer-Policy': 'no-referrer',
} as const;

/** The same bytes and headers whatever became of the event (interface 4.14); Node's own response. */
export function sendPixel(res: ServerResponse): void {
  res.writeHead(200, HEADERS);
  endWith(res, GIF);
}
