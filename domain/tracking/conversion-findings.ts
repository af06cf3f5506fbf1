import type { Browser, Device, Os } from '../viewer.ts';

/** Why a conversion that nobody signed is not billed before a person has looked at it (interface 4.14). */
export const CONVERSION_FINDINGS = [
  'FOREIGN_BROWSER',
  'FOREIGN_ADDRESS',
  'HOST_MISSING',
  'HOST_FOREIGN',
  'BURST',
  'CLICK_CAP',
  'PUBLISHER_CAP',
] as const;
export type ConversionFinding = (typeof CONVERSION_FINDINGS)[number];

/** Of the browser behind a report, as of the browser behind a click. */
export interface BrowserTraits {
  device: Device;
  os: Os;
  browser: Browser;
  /** Network of the address: /24 or /48. */
  ipPrefix: string;
}

/** What a report shows of who sent it. */
export interface Reporter extends BrowserTraits {
  userAgent: 'ok' | 'empty' | 'bot';
  /** Host of its Origin, else of its Referer; null without either. */
  host: string | null;
}

export interface Suspicion {
  /** Null of reports that were stored before it was asked. */
  reporter: Reporter | null;
  /** Null when the click's event is not kept any more. */
  click: BrowserTraits | null;
  /** The code stands on a page: anybody may know it, so the report must look like the page's own. */
  isPublic: boolean;
  /** Whether the reporter's host is of the site that the click led to. */
  isLandingHost: boolean;
  counts: NearbyCounts;
}

/** Unsigned reports beside this one. */
export interface NearbyCounts {
  /** Of its click or its network, at its tracker, within a minute; itself included. */
  within: number;
  /** Of its click, before it. */
  ofClick: number;
  /** Of its publisher, in the hour before it. */
  ofPublisher: number;
}

/** 0 disables. */
export interface HoldLimits {
  'conversion.burst_per_minute': number;
  'conversion.max_per_click': number;
  'conversion.max_per_publisher_hour': number;
}

/** All that apply, in the order of CONVERSION_FINDINGS. */
export function findingsOf(suspicion: Suspicion, limits: HoldLimits): ConversionFinding[] {
  const { counts } = suspicion;
  const isOver = (name: keyof HoldLimits, count: number): boolean =>
    limits[name] > 0 && count > limits[name];
  const found = new Set(suspicion.isPublic ? pageFindings(suspicion) : []);
  if (isOver('conversion.burst_per_minute', counts.within)) found.add('BURST');
  if (isOver('conversion.max_per_click', counts.ofClick + 1)) found.add('CLICK_CAP');
  if (isOver('conversion.max_per_publisher_hour', counts.ofPublisher + 1)) {
    found.add('PUBLISHER_CAP');
  }
  return CONVERSION_FINDINGS.filter((finding) => found.has(finding));
}

const isHandset = ({ device }: BrowserTraits): boolean =>
  device === 'MOBILE' || device === 'TABLET';

function pageFindings({ reporter, click, isLandingHost }: Suspicion): ConversionFinding[] {
  if (reporter === null) return ['HOST_MISSING'];
  const found: ConversionFinding[] = [];
  if (reporter.host === null) found.push('HOST_MISSING');
  else if (!isLandingHost) found.push('HOST_FOREIGN');
  const isSame = (name: keyof BrowserTraits): boolean =>
    click === null || click[name] === reporter[name];
  if (reporter.userAgent !== 'ok' || !isSame('device') || !isSame('os') || !isSame('browser')) {
    found.push('FOREIGN_BROWSER');
  }
  // A telephone goes from Wi-Fi to its mobile network while its owner shops: by itself, that is no finding.
  const isRoaming = found.length === 0 && isHandset(reporter);
  if (!isSame('ipPrefix') && !isRoaming) found.push('FOREIGN_ADDRESS');
  return found;
}
