import { AD_TYPES, PRICING_MODELS } from './inventory.ts';

/** What a zone is, beyond its size: types and the settings each type has (interface 2.9, 2.12). */
export const ZONE_TYPES = AD_TYPES;
export type ZoneType = (typeof ZONE_TYPES)[number];

export const TRIGGERS = ['LOAD', 'DELAY', 'SCROLL', 'CLICK'] as const;
export const POPUP_POSITIONS = ['CENTER', 'TOP', 'BOTTOM', 'LEFT', 'RIGHT'] as const;
export const ZONE_DEVICES = ['ALL', 'DESKTOP', 'MOBILE', 'TABLET', 'TV'] as const;
export type ZoneDevice = (typeof ZONE_DEVICES)[number];

/** 0 keeps the ad; otherwise seconds until the page may ask again (interface 2.9). */
export const REFRESH_SECONDS_MIN = 30;
export const REFRESH_SECONDS_MAX = 3_600;

export interface ZoneSettings {
  /** When an overlay opens. */
  trigger?: { type: (typeof TRIGGERS)[number]; delay_seconds: number; scroll_percent: number };
  /** How often one viewer sees it. */
  frequency?: { impressions: number; window_seconds: number };
  popup?: {
    position: (typeof POPUP_POSITIONS)[number];
    overlay: boolean;
    close_button: boolean;
    close_delay_seconds: number;
  };
  couplet?: {
    min_screen_width: number;
    offset_top: number;
    offset_side: number;
    close_button: boolean;
  };
  rewarded?: {
    watch_seconds: number;
    skippable_after_seconds: number;
    reward_amount: number;
    reward_type: string;
  };
}

export type ZoneSettingKey = keyof ZoneSettings;
const ZONE_SETTING_KEYS: readonly ZoneSettingKey[] = [
  'trigger',
  'frequency',
  'popup',
  'couplet',
  'rewarded',
];

const DEFAULTS: Required<ZoneSettings> = {
  trigger: { type: 'LOAD', delay_seconds: 0, scroll_percent: 50 },
  frequency: { impressions: 3, window_seconds: 86_400 },
  popup: { position: 'CENTER', overlay: true, close_button: true, close_delay_seconds: 3 },
  couplet: { min_screen_width: 1_280, offset_top: 100, offset_side: 10, close_button: true },
  rewarded: {
    watch_seconds: 15,
    skippable_after_seconds: 0,
    reward_amount: 1,
    reward_type: 'coin',
  },
};

const OVERLAY: readonly ZoneSettingKey[] = ['trigger', 'frequency', 'popup'];
const KEYS_BY_TYPE: Readonly<Partial<Record<ZoneType, readonly ZoneSettingKey[]>>> = {
  POPUP: OVERLAY,
  FLOAT: OVERLAY,
  INTERSTITIAL: OVERLAY,
  COUPLET: ['couplet'],
  REWARDED: ['rewarded'],
  EXIT_INTENT: ['frequency'],
};

function settingKeysOf(type: string): readonly ZoneSettingKey[] {
  return KEYS_BY_TYPE[type as ZoneType] ?? [];
}

/** What a caller may send: any part of any setting. */
export type ZoneSettingsPatch = {
  [Key in ZoneSettingKey]?: Patch<Required<ZoneSettings>[Key]> | undefined;
};
type Patch<Part> = { [Field in keyof Part]?: Part[Field] | undefined };

/**
 * The whole settings of a zone of this type: the type's defaults, then what is stored, then what was
 * sent. Settings of other types fall away.
 */
export function zoneSettings(
  type: string,
  stored: ZoneSettingsPatch,
  patch: ZoneSettingsPatch = {},
): ZoneSettings {
  return Object.fromEntries(
    settingKeysOf(type).map((key) => [
      key,
      { ...DEFAULTS[key], ...defined(stored[key]), ...defined(patch[key]) },
    ]),
  );
}

/** A field that was not sent must not wipe what is stored. */
function defined(part: object | undefined): object {
  return Object.fromEntries(Object.entries(part ?? {}).filter(([, value]) => value !== undefined));
}

/** Settings that were sent but that a zone of this type does not have. */
export function foreignSettings(type: string, patch: ZoneSettingsPatch): ZoneSettingKey[] {
  const known = settingKeysOf(type);
  return ZONE_SETTING_KEYS.filter((key) => patch[key] !== undefined && !known.includes(key));
}

/** `cpc, CPM` to `CPC,CPM`, in our order, each once; undefined when empty or with an unknown model. */
export function normalisePricingTypes(text: string): string | undefined {
  const named = text
    .split(',')
    .map((part) => part.trim().toUpperCase())
    .filter((part) => part !== '');
  const known: readonly string[] = PRICING_MODELS;
  if (named.length === 0 || !named.every((part) => known.includes(part))) return undefined;
  return PRICING_MODELS.filter((model) => named.includes(model)).join(',');
}
