import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { signRequest } from '../../domain/tracking/signature.ts';
import type { TrackSealer } from '../../domain/tracking/track-id.ts';
import { untilClickable } from '../support/by-hand.ts';

/**
 * A small steady stream of people: an ad is asked for, every second time under v2, and reported once as shown, seen and
 * begun; every fifth is clicked, verified and bought, which the shop reports in turn by its server, by a pixel and by a
 * postback. Nothing is retried, so that "answered" means exactly one answer.
 */
export interface Reported {
  kind: 'impression' | 'view' | 'video' | 'click' | 'click_verify' | 'conversion';
  /** The bid; of a conversion the click that it names. */
  subject: string;
  answered: boolean;
}

export interface Traffic {
  reports: Reported[];
  /** Requests that got no answer or a 5xx, by what was asked. */
  unanswered: Record<string, number>;
  /** When the last ad request was answered; tells how long a fault was felt. */
  lastAnsweredAt: number;
  stop(): Promise<void>;
}

export interface TrafficOptions {
  baseUrl: string;
  zoneKeys: string[];
  sealer: TrackSealer;
  people: number;
}

const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const TIMEOUT_MS = 8_000;
const PAUSE_MS = 60;
const CLICK_EVERY = 5;
/** Up to this long between a click and its sale, so that parts die in between as well. */
const THOUGHT_MS = 1_500;
/** The ways of a shop's report. */
const SALES = ['conversion', 'conversion.gif', 'postback'] as const;

interface Person {
  ask(path: string, init?: RequestInit): Promise<Response | undefined>;
}

interface ShownAd {
  id: string;
  html: string;
}

export function startTraffic(options: TrafficOptions): Traffic {
  const traffic: Traffic = {
    reports: [],
    unanswered: {},
    lastAnsweredAt: Date.now(),
    stop: async () => {
      stopped = true;
      await Promise.all(running);
    },
  };
  let stopped = false;
  let visits = 0;
  const live = async (): Promise<void> => {
    while (!stopped) {
      visits += 1;
      await visit(options, traffic, visits);
      await sleep(PAUSE_MS * (0.5 + Math.random()));
    }
  };
  const running = Array.from({ length: options.people }, live);
  return traffic;
}

async function visit(options: TrafficOptions, traffic: Traffic, number: number): Promise<void> {
  const person = somebody(options.baseUrl, traffic, number);
  const ad = await shown(options, { person, traffic, number });
  const bidId = ad === undefined ? undefined : options.sealer.open(ad.id)?.bidId;
  if (ad === undefined || bidId === undefined) return;
  const report = async (kind: Reported['kind'], path: string): Promise<Response | undefined> => {
    const answer = await person.ask(path);
    traffic.reports.push({ kind, subject: bidId, answered: answer?.status === 200 });
    return answer;
  };
  const pixel = pixelOf(ad.html);
  await report('impression', pixel.pathname + pixel.search);
  await report('view', beacon(`/track/view/${ad.id}`, { s: 'viewable' }, pixel));
  await report('video', beacon(`/track/video/${ad.id}`, { e: 'start' }, pixel));
  if (number % CLICK_EVERY !== 0) return;
  await untilClickable();
  const page = await report('click', `/track/click/${ad.id}`);
  if (page?.status !== 200) return;
  const key = /data-key="([\w-]+)"/.exec(await page.text())?.[1];
  if (key === undefined) throw new Error('the interstitial carries no click key');
  const verified = await person.ask('/track/click-verify', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ track_id: ad.id, qa_k: key }),
  });
  traffic.reports.push({
    kind: 'click_verify',
    subject: bidId,
    answered: verified?.status === 200,
  });
  if (verified?.status === 200) await buy(traffic, { person, verified, number });
}

/** What the page was given, if there was an ad. */
async function shown(
  { zoneKeys }: TrafficOptions,
  { person, traffic, number }: { person: Person; traffic: Traffic; number: number },
): Promise<ShownAd | undefined> {
  const zone = zoneKeys[number % zoneKeys.length] ?? '';
  const version = number % 2 === 0 ? `&_v=2&_r=${nonce()}` : '';
  const answer = await person.ask(`/ad/request?zone=${zone}${version}`);
  if (answer?.status !== 200) return undefined;
  traffic.lastAnsweredAt = Date.now();
  const { data } = (await answer.json()) as { data: { ads: ShownAd[] } };
  return data.ads[0];
}

/** The shop's report of a sale, in turn by its server, by a pixel on its page, by a postback. */
async function buy(
  traffic: Traffic,
  { person, verified, number }: { person: Person; verified: Response; number: number },
): Promise<void> {
  const { data } = (await verified.json()) as { data: { click_id: string } };
  const clickId = data.click_id;
  await sleep(THOUGHT_MS * Math.random());
  const way = SALES[(number / CLICK_EVERY) % SALES.length] ?? SALES[0];
  const answer = await person.ask(
    `/track/${way}?click_id=${clickId}&txid=order-${number}&value=19.99`,
  );
  traffic.reports.push({
    kind: 'conversion',
    subject: clickId,
    answered: answer?.status === 200,
  });
}

/** The pixel stands in the ad's document; under v2 it is signed there. */
function pixelOf(html: string): URL {
  const found = /https?:\/\/[^"'\s]+\/track\/impression\/[^"'\s)]+/.exec(html)?.[0];
  if (found === undefined) throw new Error('the ad carries no pixel');
  return new URL(found.replaceAll('&amp;', '&'));
}

/** As the page's script reports: under the pixel's key, if it has one, by a nonce of its own. */
function beacon(path: string, said: Record<string, string>, pixel: URL): string {
  const params = new URLSearchParams(said);
  const key = pixel.searchParams.get('qa_k');
  if (key !== null) {
    params.set('_v', '2');
    params.set('qa_k', key);
    params.set('_r', nonce());
    params.set('_s', signRequest(key, { method: 'GET', path, params }));
  }
  return `${path}?${params.toString()}`;
}

const nonce = (): string => `${Date.now()}.${randomBytes(12).toString('base64url')}`;

/** Every visit comes from an address of its own, so that only the faults decide what is billed. */
function somebody(baseUrl: string, traffic: Traffic, number: number): Person {
  const address = `8.${(number >> 14) & 255}.${(number >> 6) & 255}.${(number & 63) + 1}`;
  const headers = { 'User-Agent': AGENT, 'X-Forwarded-For': address };
  return {
    ask: async (path, init = {}) => {
      const what = path.split('?', 1)[0]?.split('/').slice(0, 3).join('/') ?? path;
      try {
        const response = await fetch(baseUrl + path, {
          ...init,
          headers: { ...headers, ...(init.headers as Record<string, string> | undefined) },
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        if (response.status >= 500) traffic.unanswered[what] = (traffic.unanswered[what] ?? 0) + 1;
        return response;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        traffic.unanswered[what] = (traffic.unanswered[what] ?? 0) + 1;
        return undefined;
      }
    },
  };
}
