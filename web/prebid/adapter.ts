import { PRIVACY_PARAMS, type PrivacySignals, restricts } from '../../domain/privacy-signals.ts';
import {
  forgetUndrawn,
  noteDrawn,
  noteGiven,
  seenList,
  TTL_SECONDS,
  wasGivenSince,
} from './given.ts';

/**
 * The platform as a bidder of Prebid.js (11). A module of its own: it imports nothing of Prebid's, and
 * is given to it by `pbjs.registerBidAdapter` (main.ts) or `registerBidder` of a build. Of the browser it knows
 * what it is told.
 *
 * What a zone is worth is not in an ad's answer, so the publisher says it: `cpm`, its own price of a
 * thousand impressions, is the bid whenever the zone has an ad.
 */
export interface BidParams {
  /** The zone's key. */
  zone: string;
  /** Where ads are asked for, without a slash at the end: `https://ads.example`. */
  base: string;
  cpm: number;
  /** USD unless said otherwise. */
  currency?: string;
}

/** What is read of Prebid's bid request. */
export interface BidRequest {
  bidId: string;
  adUnitCode?: string;
  params: Partial<BidParams>;
  mediaTypes?: { banner?: { sizes?: readonly (readonly [number, number])[] } };
  /** Of Prebid's price floors, where a page uses them. */
  getFloor?(ask: { currency: string; mediaType: 'banner'; size: '*' }): {
    floor?: number;
    currency?: string;
  };
}

export interface BidderRequest {
  refererInfo?: { page?: string | null };
  gdprConsent?: { gdprApplies?: boolean; consentString?: string };
  gppConsent?: { gppString?: string; applicableSections?: readonly number[] };
  uspConsent?: string;
  ortb2?: { regs?: { coppa?: number }; site?: Site };
}

/** What the page says of itself: Prebid fills in what stands in its meta tags, and its language. */
interface Site {
  cat?: readonly string[];
  sectioncat?: readonly string[];
  pagecat?: readonly string[];
  keywords?: string;
  kwarray?: readonly string[];
  content?: {
    cat?: readonly string[];
    keywords?: string;
    kwarray?: readonly string[];
    language?: string;
  };
  ext?: { data?: { documentLang?: string; pageType?: string; category?: string } };
}

interface ServerRequest {
  method: 'POST';
  url: string;
  data: Readonly<Record<string, string>>;
  options: { withCredentials: false };
  /** Of one zone, each of which wants an ad of its own. */
  bids: readonly BidRequest[];
  at: number;
}

interface Ad {
  id: string;
  creative_id: number;
  width: number;
  height: number;
  display_url: string;
}
interface ServerResponse {
  body?: { code?: number; data?: { ads?: readonly Ad[]; labels?: { lang?: string } } } | null;
}

interface Bid {
  requestId: string;
  cpm: number;
  currency: string;
  netRevenue: true;
  width: number;
  height: number;
  /** The ad's document at our address: the page's own policy does not reach it. */
  adUrl: string;
  creativeId: string;
  ttl: number;
  meta: { mediaType: 'banner'; advertiserDomains: string[] };
}

const SIZE_ANY = '*';
/** Ads of one answer. */
const LIMIT_MAX = 10;
/** No document where it is only read, as by a test. */
const page = globalThis as { document?: { title: string } };
/** Of each list of words: the server hears fifty. */
const WORDS_CHARS_MAX = 500;

/** What the browser is, as an ad request for this zone says it; next to nothing of a visitor who has refused. */
export type Describe = (zone: string, isPrivate: boolean) => Record<'_r' | '_d', string>;

export const bidder = (describe: Describe) =>
  ({
    code: 'adplatform',
    supportedMediaTypes: ['banner'],

    isBidRequestValid: ({ params, mediaTypes }: BidRequest): boolean =>
      mediaTypes?.banner !== undefined &&
      /^\w+$/.test(params.zone ?? '') &&
      /^https?:\/\/[^/?#]+$/.test(params.base ?? '') &&
      typeof params.cpm === 'number' &&
      Number.isFinite(params.cpm) &&
      params.cpm > 0,

    buildRequests: (bids: readonly BidRequest[], bidderRequest: BidderRequest): ServerRequest[] => {
      forgetUndrawn(bids);
      const seen = seenList();
      const context = contextOf(bidderRequest);
      const isPrivate = restricts(signalsIn(context));
      return byZone(bids.filter(isAboveFloor)).map(({ base, zone, bids }) => ({
        // Which has room for long words and consents; an address has not.
        method: 'POST',
        url: `${base}/ad/request`,
        data: {
          zone,
          limit: String(Math.min(bids.length, LIMIT_MAX)),
          // What the document reports it reports by itself: nothing in a page of Prebid's can sign.
          _v: '1',
          ...describe(zone, isPrivate),
          ...context,
          ...(seen !== '' && { seen }),
        },
        options: { withCredentials: false },
        bids,
        at: Date.now(),
      }));
    },

    interpretResponse: (response: ServerResponse, { bids, at }: ServerRequest): Bid[] => {
      const { code, data } = response.body ?? {};
      const ads = code === 0 ? (data?.ads ?? []) : [];
      const waiting = [...bids];
      return ads.flatMap((ad) => {
        // Zones that asked at the same time may have been answered the same creative.
        if (wasGivenSince(ad.creative_id, at)) return [];
        const place = waiting.findIndex((bid) => fits(ad, bid));
        return waiting.splice(place, place < 0 ? 0 : 1).map((bid) => {
          noteGiven(ad, bid);
          return bidOf(ad, bid, data?.labels?.lang);
        });
      });
    },

    /** Prebid has drawn it. */
    onBidWon: ({ requestId }: { requestId: string }): void => {
      noteDrawn(requestId);
    },
  }) as const;

/** In the order of the page. */
function byZone(bids: readonly BidRequest[]): { base: string; zone: string; bids: BidRequest[] }[] {
  const groups = new Map<string, { base: string; zone: string; bids: BidRequest[] }>();
  for (const bid of bids) {
    const { base = '', zone = '' } = bid.params;
    const group = groups.get(`${base} ${zone}`) ?? { base, zone, bids: [] };
    groups.set(`${base} ${zone}`, group);
    group.bids.push(bid);
  }
  return [...groups.values()];
}

/** `lang` is the page's, in which the document names itself. */
function bidOf(ad: Ad, { bidId, params }: BidRequest, lang = 'en'): Bid {
  const { base = '', cpm = 0, currency = 'USD' } = params;
  return {
    requestId: bidId,
    cpm,
    currency,
    netRevenue: true,
    width: ad.width,
    height: ad.height,
    adUrl: `${base}/ad/render/ad/${ad.id}${lang === 'en' ? '' : `?page_lang=${lang}`}`,
    creativeId: String(ad.creative_id),
    ttl: TTL_SECONDS,
    meta: {
      mediaType: 'banner',
      advertiserDomains: ad.display_url === '' ? [] : [ad.display_url],
    },
  };
}

/** A price below the page's floor would only be thrown away: the zone is not asked. */
function isAboveFloor(bid: BidRequest): boolean {
  const { cpm = 0, currency = 'USD' } = bid.params;
  // Asked of the bid itself, which is what Prebid's function reads.
  const asked = bid.getFloor?.({ currency, mediaType: 'banner', size: SIZE_ANY }) ?? {};
  const { floor, currency: floorCurrency = currency } = asked;
  return floor === undefined || floorCurrency !== currency || cpm >= floor;
}

/** Without sizes the page takes what the zone has. */
function fits({ width, height }: Ad, { mediaTypes }: BidRequest): boolean {
  const sizes = mediaTypes?.banner?.sizes ?? [];
  return sizes.length === 0 || sizes.some(([wide, tall]) => wide === width && tall === height);
}

/** The page, and what its visitor has said of privacy, in the words of the ad request. */
function contextOf(request: BidderRequest): Record<string, string> {
  const { refererInfo, gdprConsent, gppConsent, uspConsent, ortb2 } = request;
  const context: Record<string, string> = {};
  const say = (name: string, value: string | null | undefined): void => {
    if (value !== undefined && value !== null && value !== '') context[name] = value;
  };
  say('page_url', refererInfo?.page?.slice(0, 2_048));
  for (const [name, value] of Object.entries(wordsOf(ortb2?.site ?? {}))) say(name, value);
  if (gdprConsent !== undefined) say('gdpr', gdprConsent.gdprApplies === true ? '1' : '0');
  say('gdpr_consent', gdprConsent?.consentString);
  say('gpp', gppConsent?.gppString);
  say('gpp_sid', gppConsent?.applicableSections?.join(','));
  say('us_privacy', uspConsent);
  if (ortb2?.regs?.coppa === 1) say('coppa', '1');
  return context;
}

const signalsIn = (context: Record<string, string>): PrivacySignals =>
  Object.fromEntries(PRIVACY_PARAMS.map((name) => [name, context[name] ?? ''])) as PrivacySignals;

function wordsOf({
  cat,
  sectioncat,
  pagecat,
  content,
  ext,
  ...site
}: Site): Record<string, string> {
  const { pageType, category, documentLang = '' } = ext?.data ?? {};
  const language = content?.language ?? '';
  const list = (...words: (string | readonly string[] | undefined)[]): string =>
    cut(words.flat().filter(Boolean).join());
  return {
    page_title: page.document?.title.slice(0, 200) ?? '',
    page_keywords: list(site.keywords, site.kwarray, content?.keywords, content?.kwarray),
    page_category: list(pagecat, sectioncat, cat, content?.cat, category),
    page_type: list(pageType),
    // What Prebid took from the document, it took without its region.
    page_lang: documentLang.startsWith(language) ? documentLang : language,
  };
}

/** Without half a word at its end, which would be another word. */
const cut = (words: string): string =>
  words.length > WORDS_CHARS_MAX ? words.slice(0, WORDS_CHARS_MAX).replace(/,[^,]*$/, '') : words;
