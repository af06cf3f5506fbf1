/** What is known of the browser behind a request; read by api/viewer.ts, used by auction and verdict. */
export type Device = 'DESKTOP' | 'MOBILE' | 'TABLET' | 'TV' | 'OTHER';
export type Os = 'WINDOWS' | 'MACOS' | 'LINUX' | 'ANDROID' | 'IOS' | 'CHROMEOS' | 'OTHER';
export type Browser =
  | 'CHROME'
  | 'SAFARI'
  | 'FIREFOX'
  | 'EDGE'
  | 'OPERA'
  | 'SAMSUNG'
  | 'WECHAT'
  | 'OTHER';

export const DEVICES: readonly Device[] = ['DESKTOP', 'MOBILE', 'TABLET', 'TV', 'OTHER'];
export const OSES: readonly Os[] = [
  'WINDOWS',
  'MACOS',
  'LINUX',
  'ANDROID',
  'IOS',
  'CHROMEOS',
  'OTHER',
];
export const BROWSERS: readonly Browser[] = [
  'CHROME',
  'SAFARI',
  'FIREFOX',
  'EDGE',
  'OPERA',
  'SAMSUNG',
  'WECHAT',
  'OTHER',
];

export interface Viewer {
  /** ISO 3166-1 alpha-2, upper case; null when the address is not in the country data. */
  country: string | null;
  device: Device;
  os: Os;
  browser: Browser;
  userAgent: 'ok' | 'empty' | 'bot';
  /** 8 hex: UA family + OS + device class, keyed; sealed into the track_id and compared later. */
  uaHash: string;
  /** 8 hex: /24 or /48 prefix, keyed. */
  ipHash: string;
  /** 32 hex: the address, of IPv6 its /64, keyed; deduplication, rates and caps. Never the address itself. */
  viewerKey: string;
  /** `203.0.113.0/24` or `2001:db8:1::/48`: what may be stored. */
  ipPrefix: string;
  /** Sec-Purpose and its elders say prefetch, preview or prerender. */
  prefetch: boolean;
  /** The address belongs to a hosting network. */
  datacenter: boolean;
}
