import type * as yup from 'yup';
import type { ZoneScreen } from '../../db/queries/publisher.ts';
import { adWordsIn, ENGLISH } from '../../domain/creative/ad-words.ts';
import { displaysOf, RESPONSIVE } from '../../domain/auction/formats.ts';
import { zoneDelivery } from '../../domain/lifecycle/site.ts';
import { presentAmount } from '../../domain/money.ts';
import {
  type PreviewFill,
  PREVIEW_FILLS,
  previewFrames,
  previewPage,
} from '../../domain/zone-preview.ts';
import {
  POPUP_POSITIONS,
  TRIGGERS,
  ZONE_DEVICES,
  ZONE_TYPES,
  type ZoneType,
  zoneSettings,
} from '../../domain/zone-settings.ts';
import {
  address,
  addressOrNull,
  flag,
  idOf,
  idOrNullOf,
  listOf,
  money,
  oneOf,
  record,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { presentAppeal, stateFields } from './inventory.ts';

/** interface 2.12: which of them a zone has depends on its type. */
export const settingShapes = {
  trigger: record({ type: oneOf(TRIGGERS), delay_seconds: whole(), scroll_percent: whole() }),
  frequency: record({ impressions: whole(), window_seconds: whole() }),
  popup: record({
    position: oneOf(POPUP_POSITIONS),
    overlay: flag(),
    close_button: flag(),
    close_delay_seconds: whole(),
  }),
  couplet: record({
    min_screen_width: whole(),
    offset_top: whole(),
    offset_side: whole(),
    close_button: flag(),
  }),
  rewarded: record({
    watch_seconds: whole(),
    skippable_after_seconds: whole(),
    reward_amount: whole(),
    reward_type: words(),
  }),
};

/** interface 2.9; the settings of its type stand beside the other fields, null for other types. */
export const zoneShape = record(
  {
    id: idOf(),
    site_id: idOf(),
    name: words(),
    zone_key: words(),
    type: oneOf(ZONE_TYPES),
    ad_type: oneOf(ZONE_TYPES),
    ad_format_id: idOrNullOf(),
    zone_type_id: idOrNullOf(),
    size_id: idOrNullOf(),
    width: whole(),
    height: whole(),
    position: words(),
    device: oneOf(ZONE_DEVICES),
    pricing_types: words(),
    floor_price_cpc: money(),
    floor_price_cpm: money(),
    refresh: whole(),
    trigger: settingShapes.trigger.nullable(),
    frequency: settingShapes.frequency.nullable(),
    popup: settingShapes.popup.nullable(),
    couplet: settingShapes.couplet.nullable(),
    rewarded: settingShapes.rewarded.nullable(),
    /** Where granted rewards are reported to your server; shown to you alone. */
    reward_callback_url: addressOrNull(),
    ...stateFields,
  },
  'Zone',
);

export function presentZone(zone: ZoneScreen): yup.InferType<typeof zoneShape> {
  const delivery = zoneDelivery(zone, {
    status: zone.siteStatus,
    auditStatus: zone.siteAuditStatus,
  });
  const { trigger, frequency, popup, couplet, rewarded } = zoneSettings(zone.type, zone.settings);
  return {
    id: zone.id,
    site_id: zone.siteId,
    name: zone.name,
    zone_key: zone.zoneKey,
    type: zone.type,
    ad_type: zone.type,
    ad_format_id: zone.adFormatId,
    zone_type_id: zone.zoneTypeId,
    size_id: zone.sizeId,
    width: zone.width,
    height: zone.height,
    position: zone.position,
    device: zone.device,
    pricing_types: zone.pricingTypes,
    floor_price_cpc: presentAmount(zone.floorPriceCpcNanos),
    floor_price_cpm: presentAmount(zone.floorPriceCpmNanos),
    refresh: zone.refresh,
    trigger: trigger ?? null,
    frequency: frequency ?? null,
    popup: popup ?? null,
    couplet: couplet ?? null,
    rewarded: rewarded ?? null,
    reward_callback_url: zone.rewardCallbackUrl,
    status: zone.status,
    audit_status: zone.auditStatus,
    audit_reasons: zone.auditReasons ?? [],
    appeal: presentAppeal(zone.appeal),
    delivery_status: delivery.status,
    delivery_reasons: delivery.reasons,
    version: zone.version,
    created_at: zone.createdAt.toISOString(),
    updated_at: zone.updatedAt.toISOString(),
  };
}

export interface ZoneAddresses {
  base: string;
  sdk: string;
  track: string;
}

/** interface 4.10: what is pasted into a page, a player or an app; null does not fit the zone's type. */
export const zoneCodeShape = record(
  {
    zone_key: words(),
    script: words(),
    iframe: wordsOrNull(),
    vast_url: addressOrNull(),
    /** For a page that sells its places by Prebid.js. */
    prebid: wordsOrNull(),
    request_url: address(),
    /** What a page with a Content-Security-Policy adds to it. */
    csp: words(),
  },
  'ZoneCode',
);

/** These take the page or stand over it, which a frame in it cannot. */
const SCRIPT_ONLY: ReadonlySet<string> = new Set([
  'POPUP',
  'FLOAT',
  'INTERSTITIAL',
  'COUPLET',
  'EXIT_INTENT',
  'REWARDED',
] satisfies ZoneType[]);

const isPlayed = (type: string): boolean => displaysOf(type).includes('VIDEO');

/** The key is letters and digits only, so nothing of it has to be escaped. */
export function presentZoneCode(
  zone: ZoneScreen,
  urls: ZoneAddresses,
  pageLang = '',
): yup.InferType<typeof zoneCodeShape> {
  const { zoneKey, type } = zone;
  const container = `<div data-adp-zone="${zoneKey}"></div>`;
  // The SDK asks its own host for ads unless configured otherwise.
  const base = urls.sdk === urls.base ? '' : ` data-base="${urls.base}"`;
  // A script asks the page itself.
  const words = adWordsIn(pageLang);
  const said = words === ENGLISH ? '' : `?page_lang=${words.lang}`;
  return {
    zone_key: zoneKey,
    script: `${container}\n<script async src="${urls.sdk}/sdk.js"${base}></script>`,
    iframe: SCRIPT_ONLY.has(type) ? null : iframeOf(zone, urls, { said, title: words.ad }),
    vast_url: isPlayed(type) ? `${urls.base}/ad/render/vast/${zoneKey}${said}` : null,
    prebid: SCRIPT_ONLY.has(type) ? null : bidderOf(zone, urls),
    request_url: `${urls.base}/ad/request?zone=${zoneKey}`,
    csp: policyOf(type, urls),
  };
}

/** The price and the place are the publisher's own: these are to be changed. */
const bidderOf = ({ width, height, zoneKey }: ZoneScreen, { sdk, base }: ZoneAddresses): string =>
  `<script async src="${sdk}/prebid-adapter.js"></script>
<script>
var pbjs = pbjs || {};
pbjs.que = pbjs.que || [];
pbjs.que.push(function () {
  pbjs.addAdUnits({
    code: 'your-slot',
    mediaTypes: { banner: { sizes: [[${width}, ${height}]] } },
    bids: [{ bidder: 'adplatform', params: { zone: '${zoneKey}', base: '${base}', cpm: 1 } }],
  });
});
</script>`;

/** The script, its requests, the frames of ads, and what the script reports of a film. */
function policyOf(type: string, { base, sdk, track }: ZoneAddresses): string {
  return [
    `script-src ${originOf(sdk)}`,
    `connect-src ${originOf(base)}`,
    `frame-src ${originOf(base)}`,
    ...(isPlayed(type) ? [`img-src ${originOf(track)}`] : []),
  ].join('; ');
}

/** A source with a path would match that path alone. */
const originOf = (url: string): string => new URL(url).origin;

export const zonePreviewShape = record(
  {
    fill: oneOf(PREVIEW_FILLS),
    /** A whole page, for an iframe's srcdoc. */
    html: words(),
    /** What the page holds, one by one. */
    frames: listOf(record({ display: words(), html: words() })),
    /** Where the zone's own document is served, with real ads. */
    url: address(),
  },
  'ZonePreview',
);

/** House ads only: nothing of it is counted or billed. */
export function presentZonePreview(
  zone: ZoneScreen,
  { urls, fill }: { urls: ZoneAddresses; fill: PreviewFill },
): yup.InferType<typeof zonePreviewShape> {
  const { name, type, width, height } = zone;
  const previewed = { name, type, width, height, settings: zoneSettings(type, zone.settings) };
  const frames = previewFrames(previewed, { fill, homeUrl: urls.base });
  return { fill, html: previewPage(previewed, frames), frames, url: renderUrl(zone, urls) };
}

const renderUrl = (zone: ZoneScreen, urls: ZoneAddresses): string =>
  `${urls.base}/ad/render/${zone.zoneKey}`;

/** The document keeps its shape where the page has less room. */
function iframeOf(
  { type, width, height, zoneKey }: ZoneScreen,
  urls: ZoneAddresses,
  { said, title }: { said: string; title: string },
): string {
  const size = type === RESPONSIVE ? '100%' : String(width);
  return `<iframe src="${urls.base}/ad/render/${zoneKey}${said}" width="${size}" height="${height}" frameborder="0" scrolling="no" loading="lazy" style="border:0;max-width:100%;color-scheme:light" title="${title}"></iframe>`;
}
