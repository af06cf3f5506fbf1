import type { AdFormat, Zone } from '../../../../../client/routes.ts';
import type { ZoneType } from './-zone-types.ts';

type Setting = 'trigger' | 'frequency' | 'popup' | 'couplet' | 'rewarded';
const OVERLAY: readonly Setting[] = ['trigger', 'frequency', 'popup'];
const SETTINGS: Partial<Record<ZoneType, readonly Setting[]>> = {
  POPUP: OVERLAY,
  FLOAT: OVERLAY,
  INTERSTITIAL: OVERLAY,
  COUPLET: ['couplet'],
  REWARDED: ['rewarded'],
  EXIT_INTENT: ['frequency'],
};

/** The settings that a zone of this type has (interface 2.12); the API refuses the others. */
export const settingsOf = (type: ZoneType): readonly Setting[] => SETTINGS[type] ?? [];

/** Types whose room the page decides have no size to choose. */
const UNSIZED: readonly ZoneType[] = ['NATIVE', 'TEXT', 'RESPONSIVE'];
export const hasSize = (type: ZoneType): boolean => !UNSIZED.includes(type);

/** `300 × 250`, on one line; null where the page decides. */
export const sizeOf = ({ type, width, height }: Pick<Zone, 'type' | 'width' | 'height'>) =>
  hasSize(type) ? `${width}\u00a0×\u00a0${height}` : null;

/** These lie over the page, or beside its content. */
const OVER_PAGE: readonly ZoneType[] = [
  'POPUP',
  'FLOAT',
  'INTERSTITIAL',
  'COUPLET',
  'EXIT_INTENT',
  'REWARDED',
];
export const isOverPage = (type: ZoneType): boolean => OVER_PAGE.includes(type);

/** An ad that lies over the page stays until it is closed, a film until it is over. */
export const hasRefresh = (type: ZoneType): boolean => type !== 'VIDEO' && !isOverPage(type);

type Position = ZoneValues['popup']['position'];

/** A floating ad does not cover what is read: its centre is a corner. */
export const positionOf = (
  type: ZoneType,
  position: Position,
  t: { corner: string; positions: Record<Position, string> },
): string => (type === 'FLOAT' && position === 'CENTER' ? t.corner : t.positions[position]);

/**
 * What a page heeds of `popup` (interface 2.12): an interstitial always takes all of the page, a floating
 * ad never does, and what takes the page always has a button.
 */
export const popupFieldsOf = (
  type: ZoneType,
  { overlay }: Pick<ZoneValues['popup'], 'overlay'>,
): readonly (keyof ZoneValues['popup'])[] => [
  ...(type === 'INTERSTITIAL' ? [] : (['position'] as const)),
  'close_delay_seconds',
  ...(type === 'POPUP' ? (['overlay'] as const) : []),
  ...(type === 'FLOAT' || (type === 'POPUP' && !overlay) ? (['close_button'] as const) : []),
];

/** What the form holds: named as the API names it, but for the list of pricing types. */
export interface ZoneValues extends Pick<
  Zone,
  'name' | 'device' | 'refresh' | 'reward_callback_url'
> {
  site_id: number | null;
  size_id: number | null;
  width: number | null;
  height: number | null;
  pricing_types: string[] | null;
  floor_price_cpc: number | null;
  floor_price_cpm: number | null;
  trigger: NonNullable<Zone['trigger']>;
  frequency: NonNullable<Zone['frequency']>;
  popup: NonNullable<Zone['popup']>;
  couplet: NonNullable<Zone['couplet']>;
  rewarded: NonNullable<Zone['rewarded']>;
}

/** What the platform takes where nothing is said (interface 2.12). */
const BEGIN = {
  device: 'ALL',
  refresh: 0,
  reward_callback_url: null,
  pricing_types: ['CPC', 'CPM'],
  floor_price_cpc: 0,
  floor_price_cpm: 0,
  trigger: { type: 'LOAD', delay_seconds: 5, scroll_percent: 50 },
  frequency: { impressions: 3, window_seconds: 86_400 },
  popup: { position: 'CENTER', overlay: true, close_button: true, close_delay_seconds: 3 },
  couplet: { min_screen_width: 1_280, offset_top: 100, offset_side: 10, close_button: true },
  rewarded: {
    watch_seconds: 15,
    skippable_after_seconds: 0,
    reward_amount: 1,
    reward_type: 'coin',
  },
} as const satisfies Omit<
  { [Key in keyof ZoneValues]: unknown },
  'name' | 'site_id' | 'size_id' | 'width' | 'height'
>;

export const formatsOf = (formats: readonly AdFormat[], type: ZoneType): AdFormat[] =>
  formats.filter((each) => each.ad_type === type && each.width !== null);

export function newValues(
  type: ZoneType,
  given: { name: string; siteId: number | null; formats: readonly AdFormat[] },
): ZoneValues {
  const [first] = formatsOf(given.formats, type);
  return {
    ...BEGIN,
    pricing_types: [...BEGIN.pricing_types],
    name: given.name,
    site_id: given.siteId,
    size_id: first?.id ?? null,
    width: first?.width ?? null,
    height: first?.height ?? null,
  };
}

export const valuesOf = (row: Zone, formats: readonly AdFormat[]): ZoneValues => ({
  name: row.name,
  site_id: row.site_id,
  size_id:
    formatsOf(formats, row.type).find(
      ({ width, height }) => width === row.width && height === row.height,
    )?.id ?? null,
  width: row.width,
  height: row.height,
  device: row.device,
  refresh: row.refresh,
  reward_callback_url: row.reward_callback_url,
  pricing_types: row.pricing_types.split(','),
  floor_price_cpc: row.floor_price_cpc,
  floor_price_cpm: row.floor_price_cpm,
  trigger: row.trigger ?? BEGIN.trigger,
  frequency: row.frequency ?? BEGIN.frequency,
  popup: row.popup ?? BEGIN.popup,
  couplet: row.couplet ?? BEGIN.couplet,
  rewarded: row.rewarded ?? BEGIN.rewarded,
});

/** The part of a request that creating and changing share: only what this type has. */
export function askOf(type: ZoneType, values: ZoneValues, formats: readonly AdFormat[]) {
  const { name, device, refresh, pricing_types: pricing } = values;
  const chosen = formats.find(({ id }) => id === values.size_id);
  const { width, height } = chosen ?? values;
  return {
    name,
    device,
    ...(hasRefresh(type) ? { refresh } : {}),
    // Left empty is what a new zone takes: nothing said would keep what was.
    pricing_types: (pricing ?? BEGIN.pricing_types).join(','),
    floor_price_cpc: values.floor_price_cpc ?? 0,
    floor_price_cpm: values.floor_price_cpm ?? 0,
    ...(hasSize(type) && width !== null && height !== null ? { width, height } : {}),
    ...Object.fromEntries(settingsOf(type).map((key) => [key, values[key]])),
    ...(type === 'REWARDED'
      ? {
          reward_callback_url:
            values.reward_callback_url === '' ? null : values.reward_callback_url,
        }
      : {}),
  };
}
