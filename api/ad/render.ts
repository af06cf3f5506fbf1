import type { IncomingMessage, ServerResponse } from 'node:http';
import { AD_SANDBOX, EMPTY_DOCUMENT } from '../../domain/creative/markup.ts';
import { DomainError } from '../../domain/errors.ts';
import { asciiText } from '../http/byte-text.ts';
import { sendHtml } from './answer.ts';
import { presentAs } from './item.ts';
import { readParams } from './params.ts';
import { newRequestId, serve, type ServeDeps } from './serve.ts';

const NO_DOCUMENT = asciiText(EMPTY_DOCUMENT);
const presentDocument = presentAs('html');

/**
 * GET /ad/render/{zone_id}: the ad as a document for an iframe's src. It is issued under v1, as
 * nothing in that document can sign; the sandbox that the page should have set is set here too.
 */
export async function answerRender(
  deps: ServeDeps,
  io: { req: IncomingMessage; res: ServerResponse },
  zoneRef: string,
): Promise<void> {
  const policy = renderPolicy(deps.urls);
  const requestId = newRequestId();
  try {
    const request = await readParams(io.req, zoneRef);
    const params = { ...request, limit: 1, version: 1 };
    const served = await serve(
      deps,
      io.req,
      { params, requestId, channel: 'render' },
      presentDocument,
    );
    sendHtml(io.res, { status: 200, html: served.ads[0] ?? NO_DOCUMENT, policy });
    served.countShown();
  } catch (error) {
    // A frame shows nothing rather than an error; the status says what went wrong.
    const status = error instanceof DomainError ? error.status : 500;
    if (status === 500) deps.log.error({ err: error, request_id: requestId }, 'render failed');
    sendHtml(io.res, { status, html: NO_DOCUMENT, policy });
  }
}

/** Our own hosts are named because in development they speak plain http. */
function renderPolicy(urls: ServeDeps['urls']): string {
  const own = [...new Set([urls.track, urls.cdn])].join(' ');
  return [
    `sandbox ${AD_SANDBOX}`,
    'frame-ancestors *',
    "default-src 'none'",
    `img-src https: data: ${own}`,
    `media-src https: ${own}`,
    // HTML5 creatives are pages of our own media host, under a sandbox of their own.
    `frame-src ${urls.cdn}`,
    "style-src 'unsafe-inline'",
    "script-src 'unsafe-inline' https:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
