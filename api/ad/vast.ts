import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Win } from '../../domain/auction/types.ts';
import type { VastAd, VastVersion } from '../../domain/creative/vast.ts';
import { vast2 } from '../../domain/creative/vast-2.ts';
import { vast4 } from '../../domain/creative/vast-4.ts';
import { DomainError } from '../../domain/errors.ts';
import { NO_PAGE } from '../http/safe-headers.ts';
import { zoneSettings } from '../../domain/zone-settings.ts';
import type { ServableAd } from './servable-ads.ts';
import { type AnswerContext, trackIdOf } from './item.ts';
import { readParams } from './params.ts';
import { newRequestId, serve, type ServeDeps } from './serve.ts';

/**
 * GET /ad/render/vast/{zone_id}: the zone's ads for a video player (interface 4.13). No
 * ad is an empty document with 200. A player cannot sign, so its ads are issued under v1.
 */
export async function answerVast(
  deps: ServeDeps,
  io: { req: IncomingMessage; res: ServerResponse },
  zoneRef: string,
): Promise<void> {
  const requestId = newRequestId();
  const version = versionOf(io.req);
  if (version === undefined) {
    sendVast(io, { status: 400, xml: vast4([], deps.urls.track) });
    return;
  }
  const write = (ads: readonly VastAd[]): string =>
    version === '2.0' ? vast2(ads) : vast4(ads, deps.urls.track);
  try {
    const params = { ...(await readParams(io.req, zoneRef)), version: 1 };
    const ask = { params, requestId, channel: 'vast' } as const;
    const served = await serve(deps, io.req, ask, presentVast);
    sendVast(io, { status: 200, xml: write(served.ads) });
    served.countShown();
  } catch (error) {
    // A player shows nothing rather than an error; the status says what went wrong.
    const status = error instanceof DomainError ? error.status : 500;
    if (status === 500) deps.log.error({ err: error, request_id: requestId }, 'vast failed');
    sendVast(io, { status, xml: write([]) });
  }
}

const VERSIONS: ReadonlyMap<string, VastVersion> = new Map([
  ['', '4.2'],
  ['4', '4.2'],
  ['4.2', '4.2'],
  ['2', '2.0'],
  ['2.0', '2.0'],
]);

/** Undefined for a version that we do not write. */
function versionOf(req: IncomingMessage): VastVersion | undefined {
  const query = new URLSearchParams(req.url?.split('?', 2)[1] ?? '');
  const version = ['version', 'v', 'vast']
    .map((name) => query.get(name))
    .find((value) => value !== null && value !== '');
  return VERSIONS.get(version ?? '');
}

function presentVast(win: Win<ServableAd>, context: AnswerContext): VastAd {
  const { adId, content, creative } = win.candidate;
  // The inventory's index holds no video ad without its source, and this channel asks for no other.
  if (content.video === null) throw new Error(`ad ${adId} won as a video and has none`);
  const { zone } = context;
  const skipAfter = zoneSettings(zone.type, zone.settings).rewarded?.skippable_after_seconds ?? 0;
  return {
    adId,
    creativeId: creative.id,
    requestId: context.requestId,
    title: content.title ?? '',
    description: content.description ?? '',
    advertiser: content.brandName ?? '',
    source: content.video,
    companion: content.companion,
    skipAfterSeconds: skipAfter > 0 ? skipAfter : null,
    trackUrl: context.frame.trackUrl,
    trackId: trackIdOf(win, context),
  };
}

/** Players ask from their page's origin, some with credentials; we read no cookies. */
function sendVast(
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  answer: { status: number; xml: string },
): void {
  const bytes = Buffer.from(answer.xml);
  const { origin } = req.headers;
  res.writeHead(answer.status, {
    'Content-Type': 'application/xml; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': NO_PAGE,
    'Referrer-Policy': 'no-referrer',
    Vary: 'Origin',
    ...(origin === undefined
      ? { 'Access-Control-Allow-Origin': '*' }
      : { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' }),
  });
  res.end(bytes);
}
