import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Win } from '../../domain/auction/types.ts';
import { timedHex } from '../../domain/tracking/timed-id.ts';
import type { VastVersion } from '../../domain/creative/vast.ts';
import { DomainError } from '../../domain/errors.ts';
import { AnswerHead } from '../http/answer-head.ts';
import { type ByteText, byteText, endWith } from '../http/byte-text.ts';
import { NO_PAGE } from '../http/safe-headers.ts';
import { zoneSettings } from '../../domain/zone-settings.ts';
import type { ServableAd, ServableZone } from './servable-ads.ts';
import { type AnswerContext, idsOf, type ItemWriter, trackIdOf } from './item.ts';
import { queryIn, readParams } from './params.ts';
import { serve, type Served, type ServeDeps } from './serve.ts';
import { vastAdOf, vastDocument } from './vast-item.ts';

/**
 * GET /ad/render/vast/{zone_id}: the zone's ads for a video player (interface 4.13). No
 * ad is an empty document with 200. A player cannot sign, so its ads are issued under v1.
 */
export async function answerVast(
  deps: ServeDeps,
  io: { req: IncomingMessage; res: ServerResponse },
  zoneRef: string,
): Promise<void> {
  const requestId = timedHex(deps.clock());
  const version = versionOf(io.req);
  if (version === undefined) {
    sendVast(io, { status: 400, xml: emptyDocument(deps, '4.2') });
    return;
  }
  try {
    const params = { ...(await readParams(io.req, zoneRef)), version: 1 };
    const ask = { params, requestId, channel: 'vast' } as const;
    const served = await serve(deps, io.req, ask, presentVast);
    sendVast(io, { status: 200, xml: documentOf(deps, version, served) });
    served.countShown();
  } catch (error) {
    // A player shows nothing rather than an error; the status says what went wrong.
    const status = error instanceof DomainError ? error.status : 500;
    if (status === 500) deps.log.error({ err: error, request_id: requestId }, 'vast failed');
    sendVast(io, { status, xml: emptyDocument(deps, version) });
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
  const query = queryIn(req);
  const version = ['version', 'v', 'vast']
    .map((name) => query.get(name))
    .find((value) => value !== null && value !== '');
  return VERSIONS.get(version ?? '');
}

/** An ad in its place: what item-texts.ts keeps of it is written by pieces. */
type Shown = Parameters<ItemWriter['write']>[1];

function presentVast(win: Win<ServableAd>, context: AnswerContext): Shown {
  const frame = { ...context.frame, skipAfterSeconds: skipAfterOf(context.zone) };
  return { ad: win.candidate, frame, ids: idsOf(trackIdOf(win, context), context) };
}

/** Most answers hold one ad; several are a pod, whose ads say which they are. */
function documentOf(
  deps: ServeDeps,
  version: VastVersion,
  { ads: shown, labels }: Pick<Served<Shown>, 'ads' | 'labels'>,
): ByteText {
  const [only] = shown;
  if (only !== undefined && shown.length === 1) return deps.texts.write(`vast-${version}`, only);
  // Written anew: its name as text, not as the bytes that go between pieces.
  const adName = labels.words.ad;
  const ads = shown.map(({ ad, frame, ids }) => vastAdOf(ad, frame, { ...ids, adName }));
  return byteText(vastDocument(version, ads, deps.urls.track));
}

const emptyDocument = (deps: ServeDeps, version: VastVersion): ByteText =>
  byteText(vastDocument(version, [], deps.urls.track));

const skips = new WeakMap<ServableZone, { seconds: number | undefined }>();

/** A zone never changes in place, so its settings are read once. */
function skipAfterOf(zone: ServableZone): number | undefined {
  let skip = skips.get(zone);
  if (skip === undefined) {
    const after = zoneSettings(zone.type, zone.settings).rewarded?.skippable_after_seconds ?? 0;
    skip = { seconds: after > 0 ? after : undefined };
    skips.set(zone, skip);
  }
  return skip.seconds;
}

const XML_HEADERS = {
  'Content-Type': 'application/xml; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': NO_PAGE,
  'Referrer-Policy': 'no-referrer',
  Vary: 'Origin',
} as const;
const OPEN_HEAD = new AnswerHead({ ...XML_HEADERS, 'Access-Control-Allow-Origin': '*' });

/** Players ask from their page's origin, some with credentials; we read no cookies. */
function sendVast(
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  answer: { status: number; xml: ByteText },
): void {
  const { origin } = req.headers;
  const { length } = answer.xml;
  if (origin === undefined) OPEN_HEAD.write(res, answer.status, length);
  else
    res.writeHead(answer.status, {
      ...XML_HEADERS,
      'Content-Length': length,
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Credentials': 'true',
    });
  endWith(res, answer.xml);
}
