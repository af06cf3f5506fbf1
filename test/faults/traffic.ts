import { setTimeout as sleep } from 'node:timers/promises';
import type { TrackSealer } from '../../domain/tracking/track-id.ts';
import { untilClickable } from '../support/by-hand.ts';

/**
 * A small steady stream of people: an ad is asked for, its impression reported once, every fifth is
 * clicked and verified. Nothing is retried, so that "answered" means exactly one answer.
 */
export interface Reported {
  kind: 'impression' | 'click' | 'click_verify';
  bidId: string;
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

interface Person {
  headers: Record<string, string>;
  ask(path: string, init?: RequestInit): Promise<Response | undefined>;
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
  const zone = options.zoneKeys[number % options.zoneKeys.length] ?? '';
  const answer = await person.ask(`/ad/request?zone=${zone}`);
  if (answer?.status !== 200) return;
  traffic.lastAnsweredAt = Date.now();
  const { data } = (await answer.json()) as { data: { ads: { id: string }[] } };
  const trackId = data.ads[0]?.id;
  const track = trackId === undefined ? null : options.sealer.open(trackId);
  if (trackId === undefined || track === null) return;
  const report = (kind: Reported['kind'], answered: boolean): void => {
    traffic.reports.push({ kind, bidId: track.bidId, answered });
  };
  const pixel = await person.ask(`/track/impression/${trackId}`);
  report('impression', pixel?.status === 200);
  if (number % CLICK_EVERY !== 0) return;
  await untilClickable();
  const page = await person.ask(`/track/click/${trackId}`);
  report('click', page?.status === 200);
  if (page?.status !== 200) return;
  const key = /data-key="([\w-]+)"/.exec(await page.text())?.[1];
  if (key === undefined) throw new Error('the interstitial carries no click key');
  const verified = await person.ask('/track/click-verify', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ track_id: trackId, qa_k: key }),
  });
  report('click_verify', verified?.status === 200);
}

/** Every visit comes from an address of its own, so that only the faults decide what is billed. */
function somebody(baseUrl: string, traffic: Traffic, number: number): Person {
  const address = `8.${(number >> 14) & 255}.${(number >> 6) & 255}.${(number & 63) + 1}`;
  const headers = { 'User-Agent': AGENT, 'X-Forwarded-For': address };
  return {
    headers,
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
