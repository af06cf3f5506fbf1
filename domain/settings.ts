/** Operator settings: typed, with defaults; a stored value outside its rule is refused on write. */
export interface Settings {
  /** Seconds; 0 disables (interface 6). */
  'ad.impression_dedup_seconds': number;
  'ad.click_dedup_seconds': number;
  'ad.first_price': boolean;
  'ad.rate_impressions_per_minute': number;
  'ad.rate_clicks_per_minute': number;
  'review.campaign': ReviewMode;
  'review.adgroup': ReviewMode;
  'review.ad': ReviewMode;
  'review.creative': ReviewMode;
  'review.site': ReviewMode;
  'review.zone': ReviewMode;
  /** Minimum top-up, in units, per method. */
  'deposit.minimum.BANK': number;
  'deposit.minimum.USDT': number;
  'deposit.minimum.ALIPAY': number;
  'deposit.minimum.WECHAT': number;
  'deposit.minimum.OFFLINE': number;
  /** Above this many units a second operator must agree. */
  'deposit.second_approval_above': number;
  /** Days that earnings mature before they can be withdrawn. */
  'payout.maturity_days': number;
}

export type ReviewMode = 'human' | 'auto_when_clean';
export type SettingKey = keyof Settings;

interface Definition<Value> {
  default: Value;
  accepts(value: unknown): value is Value;
  /** Shown to the operator when a value is refused. */
  rule: string;
}

const wholeNumber = (fallback: number, max: number): Definition<number> => ({
  default: fallback,
  accepts: (value): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= max,
  rule: `a whole number from 0 to ${max}`,
});
const flag = (fallback: boolean): Definition<boolean> => ({
  default: fallback,
  accepts: (value): value is boolean => typeof value === 'boolean',
  rule: 'true or false',
});
const reviewMode = (fallback: ReviewMode): Definition<ReviewMode> => ({
  default: fallback,
  accepts: (value): value is ReviewMode => value === 'human' || value === 'auto_when_clean',
  rule: 'human or auto_when_clean',
});

const DAY_SECONDS = 86_400;
const UNITS_MAX = 1_000_000;

export const SETTINGS: { readonly [Key in SettingKey]: Definition<Settings[Key]> } = {
  'ad.impression_dedup_seconds': wholeNumber(60, DAY_SECONDS),
  'ad.click_dedup_seconds': wholeNumber(300, DAY_SECONDS),
  'ad.first_price': flag(false),
  'ad.rate_impressions_per_minute': wholeNumber(60, 100_000),
  'ad.rate_clicks_per_minute': wholeNumber(10, 100_000),
  'review.campaign': reviewMode('auto_when_clean'),
  'review.adgroup': reviewMode('auto_when_clean'),
  'review.ad': reviewMode('auto_when_clean'),
  'review.creative': reviewMode('human'),
  'review.site': reviewMode('human'),
  'review.zone': reviewMode('auto_when_clean'),
  'deposit.minimum.BANK': wholeNumber(10, UNITS_MAX),
  'deposit.minimum.USDT': wholeNumber(10, UNITS_MAX),
  'deposit.minimum.ALIPAY': wholeNumber(10, UNITS_MAX),
  'deposit.minimum.WECHAT': wholeNumber(10, UNITS_MAX),
  'deposit.minimum.OFFLINE': wholeNumber(10, UNITS_MAX),
  'deposit.second_approval_above': wholeNumber(10_000, UNITS_MAX),
  'payout.maturity_days': wholeNumber(7, 365),
};

export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

/** Stored rows over the defaults. A stored value that its rule no longer accepts falls back. */
export function settingsFrom(rows: readonly { key: string; value: unknown }[]): Settings {
  const stored = new Map(rows.map((row) => [row.key, row.value]));
  const entries = SETTING_KEYS.map((key) => {
    const definition: Definition<unknown> = SETTINGS[key];
    const value = stored.get(key);
    return [key, definition.accepts(value) ? value : definition.default];
  });
  return Object.fromEntries(entries) as Settings;
}
