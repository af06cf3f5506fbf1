import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Redis } from '../../db/redis.ts';
import type { ServedPages } from '../../db/serving/served-pages.ts';
import type { ServingCounters } from '../../db/serving/serving-counters.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import type { TrackPayload } from '../../domain/tracking/facts.ts';
import {
  type FingerprintOf,
  traitsOfPage,
  webdriverOf,
} from '../../domain/tracking/fingerprint.ts';
import { adRequestKey, deobfuscate } from '../../domain/tracking/obfuscation.ts';
import type { SessionKeys } from '../../domain/tracking/session-key.ts';
import { nonceTime } from '../../domain/tracking/signature.ts';
import type { TrackSealer } from '../../domain/tracking/track-id.ts';
import type { Viewer } from '../../domain/viewer.ts';
import type { ReadViewer } from '../viewer.ts';
import type { ServableAd, ServableZone } from './servable-ads.ts';
import type { Frequency } from './frequency.ts';
import type { AnswerContext, AskingDevice } from './item.ts';
import type { ItemTexts } from './item-texts.ts';
import { type Labels, labelsIn } from './labels.ts';
import type { ReadPage } from '../pages.ts';
import type { AdParams } from './params.ts';
import { recentlyShown } from './seen.ts';
import { findZone, frequencyViewer, selectAds } from './select.ts';
import { expectedCostOf } from '../../domain/auction/price.ts';
import type { Win } from '../../domain/auction/types.ts';
import type { ServingInventory } from './snapshot.ts';
import { type Soon, whenThere } from './soon.ts';

/** What the ad surface needs: plain values, made once by api/server.ts. */
export interface AdDeps {
  inventory: Pick<ServingInventory, 'current' | 'adOf'>;
  /** Frequency counters; while it is away, capped ads stay out. */
  redis: Redis;
  counters: Pick<ServingCounters, 'count'>;
  /** What pages say of themselves, written after the answer. */
  pages: Pick<ServedPages, 'note'>;
  sealer: TrackSealer;
  sessionKeys: SessionKeys;
  readViewer: ReadViewer;
  fingerprintOf: FingerprintOf;
  /** `track`: where impressions and clicks are reported. `cdn`: where assets lie. No trailing slash. */
  urls: { track: string; cdn: string };
  log: Logger;
  clock: () => Date;
  /** 0 <= roll < 1, fresh for every request; chance, unless a test fixes it. */
  roll?: () => number;
  /** How long an answer waits for the frequency counters; longer in a test that is not about that. */
  countersWaitMs?: number;
}

/** The same with what the surface makes of it. */
export interface ServeDeps extends AdDeps {
  frequency: Frequency;
  readPage: ReadPage;
  roll: () => number;
  stretch: (now: Date) => number;
  texts: ItemTexts;
}

export interface Served<Shown> {
  requestId: string;
  sessionKey: string;
  zone: ServableZone;
  ads: Shown[];
  labels: Labels;
  now: Date;
  /** Counts what was answered; called once the answer is out. */
  countShown(): void;
}

/**
 * `present` makes of each win what the channel answers with. Raises unavailable before the first
 * load, not_found for a zone that nobody has. There at once unless frequency counters are read.
 */
export function serve<Shown>(
  deps: ServeDeps,
  req: IncomingMessage,
  ask: { params: AdParams; requestId: string; channel: TrackPayload['channel'] },
  present: (win: Win<ServableAd>, context: AnswerContext) => Shown,
): Soon<Served<Shown>> {
  const { params, requestId, channel } = ask;
  const snapshot = deps.inventory.current();
  if (!snapshot.isLoaded) throw new DomainError('unavailable');
  const zone = findZone(snapshot, params.zoneRef);
  if (zone === undefined) throw notFound();

  const now = deps.clock();
  const viewer = deps.readViewer(req);
  const { limit, isRestricted } = params;
  const page = deps.readPage(params.page);
  const { settings } = snapshot;
  const selecting = selectAds(
    {
      snapshot,
      zone,
      channel,
      viewer,
      page: page?.words ?? null,
      limit,
      isRestricted,
      excluded: recentlyShown(params.seen, { sealer: deps.sealer, settings }),
      now,
      roll: deps.roll(),
      stretch: deps.stretch(now),
    },
    deps.frequency,
  );
  return whenThere(selecting, (wins) => {
    for (const { candidate, eventPriceNanos } of wins) {
      snapshot.holds.add(candidate, expectedCostOf(candidate, eventPriceNanos), now);
    }
    const sessionKey = deps.sessionKeys.mintSession({ requestId, viewer, now });
    const { type, width, height } = zone;
    const protocol = params.version >= 2 ? 2 : 1;
    const labels = labelsIn(params.page.lang);
    const context: AnswerContext = {
      requestId,
      sessionKey,
      channel,
      zone,
      viewer,
      pageId: page?.id,
      device: wins.length === 0 ? SILENT : askingDevice(deps, params),
      isRestricted,
      now,
      frame: { type, width, height, protocol, trackUrl: deps.urls.track },
      labels,
      sealer: deps.sealer,
      texts: deps.texts,
    };
    return {
      requestId,
      sessionKey,
      zone,
      now,
      labels,
      ads: wins.map((win) => present(win, context)),
      countShown: () => {
        deps.counters.count(zone, wins.length > 0, now);
        if (page !== null && wins.length > 0) {
          deps.pages.note(page, `publisher ${zone.publisherId}`, now);
        }
        if (!isRestricted) countCaps(deps, viewer, wins);
      },
    };
  });
}

function countCaps(deps: ServeDeps, viewer: Viewer, wins: readonly Win<ServableAd>[]): void {
  if (wins.every(({ candidate }) => candidate.caps.length === 0)) return;
  const caps = wins.flatMap(({ candidate }) => candidate.caps);
  deps.frequency.count(frequencyViewer(viewer), caps);
}

const SILENT: AskingDevice = { fingerprint: undefined, webdriver: undefined };

/** Malformed `_d` is as good as none; a viewer who asks for privacy leaves no fingerprint, and a robot is no viewer. */
function askingDevice(
  { fingerprintOf }: ServeDeps,
  { device, isRestricted, zoneRef }: AdParams,
): AskingDevice {
  if (device === null || nonceTime(device.nonce) === null) return SILENT;
  const { obfuscated, nonce } = device;
  const data = deobfuscate(obfuscated, { key: adRequestKey(zoneRef, nonce), nonce });
  if (data === null) return SILENT;
  return {
    fingerprint: isRestricted ? undefined : (fingerprintOf(traitsOfPage(data)) ?? undefined),
    webdriver: webdriverOf(data) === true ? true : undefined,
  };
}
