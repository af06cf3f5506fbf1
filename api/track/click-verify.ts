import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { newEventId, timeOfEventId } from '../../db/events/event-log.ts';
import { type ClickRecord, pendingClick } from '../../db/queries/click-rows.ts';
import { type VerifiedClick, verifyClick } from '../../db/queries/clicks.ts';
import { fillLandingUrl } from '../../domain/creative/macros.ts';
import { conflict, DomainError, type FieldError, invalid } from '../../domain/errors.ts';
import { type DeviceTraits, traitsOfClick } from '../../domain/tracking/fingerprint.ts';
import { freshText } from '../../domain/tracking/fresh-bytes.ts';
import { packFacts } from '../../domain/tracking/packed-facts.ts';
import { bodyParams, isSignedBy } from '../../domain/tracking/signature.ts';
import { TRACK_TTL_SECONDS } from '../../domain/tracking/track-id.ts';
import type { EventFacts } from '../../domain/tracking/facts.ts';
import { AnswerHead } from '../http/answer-head.ts';
import { byteText, endWith } from '../http/byte-text.ts';
import { NO_PAGE } from '../http/safe-headers.ts';
import { readJsonObject } from './body.ts';
import type { TrackDeps } from './deps.ts';
import {
  factsOf,
  hasTrackExpired,
  keptOfDevice,
  openTrack,
  type OpenedTrack,
  readNonce,
  V1_FACTS,
} from './facts.ts';

interface Verification {
  /** As it came: a privacy signal may be in it. */
  body: Readonly<Record<string, unknown>>;
  trackId: string;
  clickKey: string;
  nonce: string | null;
  webdriver: boolean | null;
  /** What of `device_data` stays as it was when the ad was asked for. */
  traits: DeviceTraits;
  signature: EventFacts['signature'];
}

/**
 * Exchanges the click's key for its landing page, once (interface 4.14). 409 for a key that is used,
 * expired or not ours: the answer does not say which. 503 when the database is away; the page asks again.
 */
export async function answerClickVerify(
  deps: TrackDeps,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  try {
    const verification = readVerification(await readJsonObject(req));
    const now = deps.clock();
    const click = await verify(deps, { req, verification, now });
    if (click === null) throw conflict('This click cannot be verified.');
    sendAnswer(res, 200, {
      code: 0,
      message: 'ok',
      data: { url: landingUrl(click, now), click_id: click.clickId },
    });
  } catch (error) {
    if (!(error instanceof DomainError)) deps.log.error({ err: error }, 'click-verify failed');
    sendRefusal(res, error instanceof DomainError ? error : new DomainError('unavailable'));
  }
}

async function verify(
  deps: TrackDeps,
  request: { req: IncomingMessage; verification: Verification; now: Date },
): Promise<VerifiedClick | null> {
  const { req, verification, now } = request;
  const { trackId, clickKey } = verification;
  const viewer = deps.readViewer(req);
  const query = new Map(Object.entries(verification.body));
  const ttlSeconds = TRACK_TTL_SECONDS.click;
  const track = openTrack(deps, { req, trackId, query }, { ttlSeconds, now });
  const opened = deps.sessionKeys.openClick(clickKey, { trackId, viewer, now });
  const { nonce, clock } = readNonce(verification.nonce, now);
  const { webdriver, traits, signature } = verification;
  const device = keptOfDevice({ webdriver, traits }, track, deps.fingerprintOf);
  const said = { ...V1_FACTS, nonce, clock, webdriver: device.webdriver, signature };
  said.fingerprint = device.fingerprint;
  const facts = factsOf(track, viewer, said);
  const eventId = newEventId(now);
  if (track.payload !== null && typeof opened === 'object') {
    const click = await verifyClick(deps.pool, {
      clickEventId: opened.clickEventId,
      eventId,
      receivedAt: now,
      facts: JSON.stringify(packFacts({ ...facts, session: 'ok' })),
      click: clickOf(opened.clickEventId, { track, facts: facts.track }),
    });
    if (click !== null) return click;
  }
  await appendRefused(deps, { track, facts, eventId, now, wasOurs: opened !== 'bad' });
  return null;
}

/** What its row begins with; null when the track_id was too old as it was clicked. */
function clickOf(
  id: string,
  { track, facts }: { track: OpenedTrack; facts: EventFacts['track'] },
): ClickRecord | null {
  const clickedAtMs = timeOfEventId(id);
  if (facts === null || hasTrackExpired(facts, TRACK_TTL_SECONDS.click, clickedAtMs)) return null;
  return pendingClick({ id, shard: track.shard, clickedAtMs, track: facts });
}

/** A refused verification is stored as well, without the click it names, so that it decides nothing about that click. */
async function appendRefused(
  deps: TrackDeps,
  refused: { track: OpenedTrack; facts: EventFacts; eventId: string; now: Date; wasOurs: boolean },
): Promise<void> {
  await deps.eventLog.append({
    id: refused.eventId,
    kind: 'click_verify',
    shard: refused.track.shard,
    receivedAt: refused.now,
    facts: { ...refused.facts, session: refused.wasOurs ? 'expired' : 'bad' },
  });
}

function readVerification(body: Record<string, unknown>): Verification {
  const errors: FieldError[] = [];
  const text = (field: string): string => {
    const value = body[field];
    if (typeof value === 'string' && value !== '') return value;
    const isMissing = value === undefined || value === null || value === '';
    errors.push(
      isMissing
        ? { field, code: 'required', message: 'This field is required.' }
        : { field, code: 'type', message: 'Must be text.' },
    );
    return '';
  };
  const trackId = text('track_id');
  const clickKey = text('qa_k');
  const { _r: nonce, _s: signature, device_data: device } = body;
  for (const [field, value] of [
    ['_r', nonce],
    ['_s', signature],
  ] as const) {
    if (value !== undefined && value !== null && typeof value !== 'string') {
      errors.push({ field, code: 'type', message: 'Must be text.' });
    }
  }
  const traits = device ?? {};
  if (typeof traits !== 'object' || Array.isArray(traits)) {
    errors.push({ field: 'device_data', code: 'type', message: 'Must be an object.' });
  }
  if (errors.length > 0) throw invalid(...errors);
  const said = traits as Record<string, unknown>;
  const { webdriver } = said;
  return {
    body,
    trackId,
    clickKey,
    nonce: typeof nonce === 'string' ? nonce : null,
    webdriver: typeof webdriver === 'boolean' ? webdriver : null,
    traits: traitsOfClick(said),
    signature: typeof signature === 'string' ? bodySignature(body, clickKey, signature) : 'none',
  };
}

function bodySignature(
  body: Record<string, unknown>,
  clickKey: string,
  signature: string,
): EventFacts['signature'] {
  const signed = { method: 'POST', path: '/track/click-verify', params: bodyParams(body) };
  return isSignedBy(clickKey, signed, signature) ? 'ok' : 'bad';
}

/** Empty when there is no page to go to, or its macros would move it to another host, which saving refuses. */
function landingUrl(click: VerifiedClick, now: Date): string {
  const filled = fillLandingUrl(click.landingUrl, {
    bid_id: click.bidId,
    click_id: click.clickId,
    request_id: click.requestId,
    creative_id: String(click.creativeId),
    zone_id: String(click.zoneId),
    timestamp: String(Math.floor(now.getTime() / 1000)),
    random: String(Number.parseInt(freshText(6, 'hex'), 16)),
  });
  return filled ?? '';
}

const OPEN_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': NO_PAGE,
  'Referrer-Policy': 'no-referrer',
} as const;

const HEAD = new AnswerHead({ ...OPEN_HEADERS, 'Content-Type': 'application/json; charset=utf-8' });

/** The envelope of this endpoint carries no timestamp (interface 2.1). */
function sendAnswer(res: ServerResponse, status: number, body: object): void {
  const text = byteText(JSON.stringify(body));
  HEAD.write(res, status, text.length);
  endWith(res, text);
}

function sendRefusal(res: ServerResponse, refusal: DomainError): void {
  const { token, message, code, errors } = refusal;
  // What is left of an oversized body is not read: the connection ends with the answer.
  if (token === 'too_large') res.setHeader('Connection', 'close');
  const data = {
    error: token,
    ...(errors === undefined ? {} : { errors }),
    request_id: randomUUID(),
  };
  sendAnswer(res, refusal.status, { code, message, data });
}

export function answerPreflight(res: ServerResponse): void {
  res.writeHead(204, {
    ...OPEN_HEADERS,
    'Access-Control-Allow-Methods': 'POST, OPTIONS',
    'Access-Control-Allow-Headers': 'Content-Type',
    'Access-Control-Max-Age': '86400',
  });
  res.end();
}
