import { parseAmount } from './money.ts';

/** Operator settings: typed, with defaults; a stored value outside its rule is refused on write. */
export interface Settings {
  /** Seconds; 0 disables (interface 6). */
  'ad.impression_dedup_seconds': number;
  'ad.click_dedup_seconds': number;
  'ad.first_price': boolean;
  'ad.rate_impressions_per_minute': number;
  'ad.rate_clicks_per_minute': number;
  /** Days in which an advertiser may reject what nobody signed, where the tracker says none. */
  'site.transfer_notice_hours': number;
  'site.claim_days': number;
  /** Hours that a lost second factor waits before anybody may let its person in without it. */
  'login.recovery_wait_hours': number;
  'conversion.validation_days': number;
  /** Unsigned reports beyond these wait for a person; 0 disables. */
  'conversion.decision_days': number;
  'conversion.burst_per_minute': number;
  'conversion.max_per_click': number;
  'conversion.max_per_publisher_hour': number;
  /** What an auction asks at the least, in units: for a thousand impressions, for a click. */
  'auction.floor_cpm': number;
  'auction.floor_cpc': number;
  'review.campaign': ReviewMode;
  'review.adgroup': ReviewMode;
  'review.ad': ReviewMode;
  'review.creative': ReviewMode;
  'review.site': ReviewMode;
  'review.zone': ReviewMode;
  /** Names that an ad may not borrow without a person's look, divided by commas. */
  'review.brands': string;
  /** Seconds in which nobody else decides what an operator has opened; 0 is off. */
  'review.lease_seconds': number;
  /** Minimum top-up, in units, per method. */
  'deposit.minimum.BANK': number;
  'deposit.minimum.USDT': number;
  'deposit.minimum.ALIPAY': number;
  'deposit.minimum.WECHAT': number;
  'deposit.minimum.OFFLINE': number;
  /** Yuan that Alipay and WeChat Pay ask for one unit; an order keeps the rate it was made with. */
  'deposit.cny_per_unit': number;
  /** Above this many units a second operator must agree. */
  'deposit.second_approval_above': number;
  /** Days that earnings mature before they can be withdrawn. */
  'payout.maturity_days': number;
  'review.withdrawal': ReviewMode;
  /** Above this many units a second operator must agree to a withdrawal. */
  'payout.second_approval_above': number;
  /** Seconds after its approval in which a withdrawal may still be cancelled. */
  'payout.cooling_off_seconds': number;
  /** Minimum withdrawal, in units, per channel. */
  'payout.minimum.BANK': number;
  'payout.minimum.USDT': number;
  'payout.minimum.PAYPAL': number;
  'payout.minimum.PAXUM': number;
  /** Fixed part of the fee, in hundredths of a unit, and parts per million of the amount. */
  'payout.fee_cents.BANK': number;
  'payout.fee_cents.USDT': number;
  'payout.fee_cents.PAYPAL': number;
  'payout.fee_cents.PAXUM': number;
  'payout.fee_ppm.BANK': number;
  'payout.fee_ppm.USDT': number;
  'payout.fee_ppm.PAYPAL': number;
  'payout.fee_ppm.PAXUM': number;
  /** Withheld for the tax office, parts per million of the amount. */
  'payout.tax_ppm': number;
  /** Days that an approved identity holds at the most; its document may end before. */
  'kyc.valid_days': number;
  /** Days that papers are kept after nothing rests on them any more: replaced, sent back or over. */
  'kyc.retention_days': number;
  /** Who issues documents; frozen into each when it is issued. Empty is not written. */
  'issuer.legal_name': string;
  'issuer.address': string;
  'issuer.tax_id': string;
}

export type ReviewMode = 'human' | 'auto_when_clean';
export type SettingKey = keyof Settings;

interface Definition<Value> {
  default: Value;
  accepts(value: unknown): value is Value;
  /** Shown to the operator when a value is refused. */
  rule: string;
}

const wholeNumber = (fallback: number, max: number, min = 0): Definition<number> => ({
  default: fallback,
  accepts: (value): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max,
  rule: `a whole number from ${min} to ${max}`,
});
const units = (fallback: number, max: number): Definition<number> => ({
  default: fallback,
  accepts: (value): value is number =>
    typeof value === 'number' && parseAmount(value) !== undefined && value <= max,
  rule: `an amount from 0 to ${max} with at most six decimals`,
});
const rate = (fallback: number, max: number): Definition<number> => ({
  default: fallback,
  accepts: (value): value is number =>
    typeof value === 'number' && value > 0 && parseAmount(value) !== undefined && value <= max,
  rule: `above 0 and at most ${max}, with at most six decimals`,
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

const WORDS_MAX = 4_000;
const words = (fallback: string): Definition<string> => ({
  default: fallback,
  accepts: (value): value is string =>
    typeof value === 'string' && value.length <= WORDS_MAX && !/\p{C}/u.test(value),
  rule: `names divided by commas, ${WORDS_MAX} characters at the most`,
});

/** One line, so that nothing in it passes for another line of a document. */
const line = (max: number): Definition<string> => ({
  default: '',
  accepts: (value): value is string =>
    typeof value === 'string' && value.length <= max && !/\p{C}/u.test(value),
  rule: `one line of ${max} characters at the most`,
});

/** Names that are borrowed most for phishing. */
const BRANDS =
  'Adobe, Airbnb, Alipay, AliExpress, Amazon, American Express, Apple, Bank of America, Binance, ' +
  'Booking.com, Chase Bank, Coinbase, DHL, Dropbox, eBay, Facebook, FedEx, Google, HSBC, iCloud, Instagram, ' +
  'Kraken, LinkedIn, Mastercard, MetaMask, Microsoft, Netflix, Office 365, Outlook, PayPal, Revolut, ' +
  'Roblox, Samsung, Spotify, Steam, Stripe, Telegram, TikTok, UPS, USPS, Visa, Walmart, WeChat, Wells Fargo, ' +
  'WhatsApp, Windows, Yahoo, YouTube';

const DAY_SECONDS = 86_400;
const UNITS_MAX = 1_000_000;
/** Above what anybody bids nothing would be served: more is a slip of the hand. */
const FLOOR_UNITS_MAX = 100;
/** Half of the amount: more is a slip of the hand. */
const PPM_MAX = 500_000;

export const SETTINGS: { readonly [Key in SettingKey]: Definition<Settings[Key]> } = {
  'ad.impression_dedup_seconds': wholeNumber(60, DAY_SECONDS),
  'ad.click_dedup_seconds': wholeNumber(300, DAY_SECONDS),
  'ad.first_price': flag(false),
  'ad.rate_impressions_per_minute': wholeNumber(60, 100_000),
  'ad.rate_clicks_per_minute': wholeNumber(10, 100_000),
  'site.transfer_notice_hours': wholeNumber(24, 720),
  'site.claim_days': wholeNumber(30, 3_650),
  'login.recovery_wait_hours': wholeNumber(72, 720, 24),
  'conversion.validation_days': wholeNumber(7, 90),
  'conversion.decision_days': wholeNumber(30, 365),
  'conversion.burst_per_minute': wholeNumber(3, 100_000),
  'conversion.max_per_click': wholeNumber(5, 100_000),
  'conversion.max_per_publisher_hour': wholeNumber(100, 100_000),
  'auction.floor_cpm': units(0.1, FLOOR_UNITS_MAX),
  'auction.floor_cpc': units(0.01, FLOOR_UNITS_MAX),
  'review.campaign': reviewMode('auto_when_clean'),
  'review.adgroup': reviewMode('auto_when_clean'),
  'review.ad': reviewMode('auto_when_clean'),
  'review.creative': reviewMode('human'),
  'review.site': reviewMode('human'),
  'review.zone': reviewMode('auto_when_clean'),
  'review.brands': words(BRANDS),
  'review.lease_seconds': wholeNumber(600, DAY_SECONDS),
  'deposit.minimum.BANK': wholeNumber(10, UNITS_MAX),
  'deposit.minimum.USDT': wholeNumber(10, UNITS_MAX),
  'deposit.minimum.ALIPAY': wholeNumber(10, UNITS_MAX),
  'deposit.minimum.WECHAT': wholeNumber(10, UNITS_MAX),
  'deposit.minimum.OFFLINE': wholeNumber(10, UNITS_MAX),
  'deposit.cny_per_unit': rate(7.2, 1_000),
  'deposit.second_approval_above': wholeNumber(10_000, UNITS_MAX),
  'payout.maturity_days': wholeNumber(7, 365),
  'review.withdrawal': reviewMode('human'),
  'payout.second_approval_above': wholeNumber(10_000, UNITS_MAX),
  'payout.cooling_off_seconds': wholeNumber(1_800, 7 * DAY_SECONDS),
  'payout.minimum.BANK': wholeNumber(100, UNITS_MAX),
  'payout.minimum.USDT': wholeNumber(20, UNITS_MAX),
  'payout.minimum.PAYPAL': wholeNumber(10, UNITS_MAX),
  'payout.minimum.PAXUM': wholeNumber(10, UNITS_MAX),
  'payout.fee_cents.BANK': wholeNumber(500, 100_000),
  'payout.fee_cents.USDT': wholeNumber(100, 100_000),
  'payout.fee_cents.PAYPAL': wholeNumber(0, 100_000),
  'payout.fee_cents.PAXUM': wholeNumber(100, 100_000),
  'payout.fee_ppm.BANK': wholeNumber(0, PPM_MAX),
  'payout.fee_ppm.USDT': wholeNumber(0, PPM_MAX),
  'payout.fee_ppm.PAYPAL': wholeNumber(20_000, PPM_MAX),
  'payout.fee_ppm.PAXUM': wholeNumber(0, PPM_MAX),
  'payout.tax_ppm': wholeNumber(0, PPM_MAX),
  'kyc.valid_days': wholeNumber(730, 3_650, 1),
  'kyc.retention_days': wholeNumber(1_825, 36_500, 30),
  'issuer.legal_name': line(200),
  'issuer.address': line(400),
  'issuer.tax_id': line(64),
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

/** The names of a setting such as `review.brands`. */
export const namesIn = (setting: string): string[] =>
  setting
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(SETTINGS, key);
