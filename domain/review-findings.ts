import { type CopyFacts, copyFindings, displayFindings } from './ad-copy-findings.ts';
import type { Finding } from './finding.ts';
import type { CreativeType } from './inventory.ts';
import type { VerifyStatus } from './lifecycle/site.ts';
import { parseUrl } from './url.ts';

export interface CreativeFacts {
  type: 'creative';
  creativeType: CreativeType;
  imageMediaId: number | null;
  videoMediaId: number | null;
  /** What was found in the code of the creative's files when they were uploaded; null without files. */
  html5Findings: readonly Finding[] | null;
  htmlCode: string | null;
  vastXml: string | null;
  vastUrl: string | null;
}

interface LandingFacts {
  landingUrl: string | null;
  approvedHosts: string[];
}

/** An ad is seen at its landing page, and by what it says. */
export interface AdFacts extends LandingFacts, CopyFacts {
  type: 'ad';
}

/** A campaign's page is seen through ads without their own. */
export interface CampaignFacts extends LandingFacts {
  type: 'campaign';
  /** An approved ad leads to this page, so a change of it is a change of that ad. */
  shownByApprovedAds: boolean;
  /** The registrable domains of what those ads show for their address, and of this page. */
  displaySites: (string | null)[];
  landingSite: string | null;
}

export interface SiteFacts {
  type: 'site';
  verifyStatus: VerifyStatus;
  /** A domain above it that another account has verified; a name of it may have been taken over. */
  othersDomain: string | null;
}

/** Ad groups and zones show nothing of their own to a viewer. */
export interface PlainFacts {
  type: 'adgroup' | 'zone';
}

export type ReviewFacts = CreativeFacts | AdFacts | CampaignFacts | SiteFacts | PlainFacts;

export function reviewFindings(facts: ReviewFacts): Finding[] {
  switch (facts.type) {
    case 'creative':
      return creativeFindings(facts);
    case 'ad':
      return [...landingFindings(facts), ...copyFindings(facts)];
    case 'campaign':
      return campaignFindings(facts);
    case 'site':
      return siteFindings(facts);
    case 'adgroup':
    case 'zone':
      return [];
  }
}

function siteFindings({ verifyStatus, othersDomain }: SiteFacts): Finding[] {
  const findings: Finding[] = [];
  if (verifyStatus !== 'VERIFIED') {
    const note = `The site is ${verifyStatus}.`;
    const field = 'verify_status';
    findings.push({ code: 'SITE_NOT_VERIFIED', severity: 'blocker', field, note });
  }
  if (othersDomain !== null) {
    const field = 'domain';
    findings.push({ code: 'PART_OF_OTHERS_DOMAIN', severity: 'notice', field, note: othersDomain });
  }
  return findings;
}

/** Whether a person must look although the setting says `auto_when_clean`. */
export const needsHuman = (findings: readonly Finding[]): boolean =>
  findings.some((finding) => finding.severity !== 'info');

export const blockersOf = (findings: readonly Finding[]): Finding[] =>
  findings.filter((finding) => finding.severity === 'blocker');

/** Host of a landing page, lower case without a trailing dot; null when there is none to be read. */
export function landingHost(landingUrl: string | null): string | null {
  const url = parseUrl(landingUrl ?? '');
  if (url === null) return null;
  const { hostname, protocol } = url;
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  return hostname.toLowerCase().replace(/\.$/, '');
}

function campaignFindings(facts: CampaignFacts): Finding[] {
  const host = landingHost(facts.landingUrl);
  if (host === null || !facts.shownByApprovedAds) return [];
  return [...landingFindings(facts), ...displayFindings(facts.displaySites, facts)];
}

function landingFindings(facts: LandingFacts): Finding[] {
  const host = landingHost(facts.landingUrl);
  if (host === null) {
    return [
      {
        code: 'LANDING_PAGE_MISSING',
        severity: 'blocker',
        field: 'landing_url',
        note: 'Neither the ad nor its campaign has a landing page.',
      },
    ];
  }
  if (facts.approvedHosts.includes(host)) return [];
  return [{ code: 'LANDING_HOST_NEW', severity: 'notice', field: 'landing_url', note: host }];
}

type AssetField = 'image_media_id' | 'video_media_id' | 'html5_media_id' | 'html_code' | 'vast_xml';

/** What a creative of each type cannot be shown without. */
const ASSET_OF_TYPE: Readonly<Partial<Record<CreativeType, AssetField>>> = {
  image: 'image_media_id',
  native: 'image_media_id',
  html: 'html_code',
  html5: 'html5_media_id',
  rich_media: 'html_code',
  video: 'video_media_id',
  vast: 'vast_xml',
};

const ASSET_CODE: Readonly<Record<AssetField, string>> = {
  image_media_id: 'IMAGE_MISSING',
  video_media_id: 'VIDEO_MISSING',
  html5_media_id: 'HTML5_MISSING',
  html_code: 'HTML_MISSING',
  vast_xml: 'VAST_MISSING',
};

function creativeFindings(facts: CreativeFacts): Finding[] {
  const findings: Finding[] = [];
  const asset = ASSET_OF_TYPE[facts.creativeType];
  if (asset !== undefined && !hasAsset(facts, asset)) {
    findings.push({ code: ASSET_CODE[asset], severity: 'blocker', field: asset });
  }
  if (facts.htmlCode !== null) findings.push(...codeFindings(facts.htmlCode, 'html_code'));
  findings.push(...(facts.html5Findings ?? []));
  return findings;
}

function hasAsset(facts: CreativeFacts, asset: AssetField): boolean {
  switch (asset) {
    case 'image_media_id':
      return facts.imageMediaId !== null;
    case 'video_media_id':
      return facts.videoMediaId !== null;
    case 'html5_media_id':
      return facts.html5Findings !== null;
    case 'html_code':
      return facts.htmlCode !== null && facts.htmlCode.trim() !== '';
    case 'vast_xml':
      return facts.vastXml !== null || facts.vastUrl !== null;
  }
}

/**
 * Things an advertiser's code has no business doing. The sandbox of interface 2.11's markup holds
 * whatever a pattern misses; these only show the reviewer where to look.
 */
const HTML_RULES: readonly { code: string; pattern: RegExp }[] = [
  { code: 'HTML_DOCUMENT_WRITE', pattern: /\bdocument\s*(?:\.|\[\s*['"`])\s*write(?:ln)?\b/i },
  {
    code: 'HTML_EVAL',
    pattern: /\beval\s*\(|\bnew\s+Function\b|\bset(?:Timeout|Interval)\s*\(\s*['"`]/,
  },
  {
    code: 'HTML_TOP_NAVIGATION',
    pattern:
      /\b(?:top|parent)\s*(?:\.|\[\s*['"`])\s*location\b|\btarget\s*=\s*['"]?_(?:top|parent)\b/i,
  },
  { code: 'HTML_META_REFRESH', pattern: /<meta\b[^>]{0,300}?http-equiv\s*=\s*['"]?\s*refresh/i },
  { code: 'HTML_BASE', pattern: /<base\b/i },
  { code: 'HTML_FRAME', pattern: /<(?:iframe|frame|object|embed|portal)\b/i },
  { code: 'HTML_SCRIPT_URL', pattern: /\b(?:javascript|vbscript)\s*:|\bdata\s*:\s*text\/html/i },
  {
    // Past clickTag and the click macros: its clicks lead away, and nobody pays for them.
    code: 'HTML_UNCOUNTED_LINK',
    pattern:
      /<(?:a|area)\b[^>]{0,300}?\bhref\s*=\s*['"]?\s*(?:https?:)?[/\\]{2}|\b(?:open|assign|replace)\s*\(\s*['"`]\s*(?:https?:)?\/\/|\blocation\s*(?:\.\s*href\s*)?=\s*['"`]\s*(?:https?:)?\/\//i,
  },
  {
    code: 'HTML_WORKER',
    pattern: /\bnew\s+(?:Shared)?Worker\b|\bserviceWorker\b|\bimportScripts\b/,
  },
];

/** The regexes run on at most this much; longer code is a finding of its own. */
const HTML_SCAN_MAX = 500_000;
const EXTERNAL_HOSTS_MAX = 20;
/** Named by every inline SVG, never loaded from. */
const NAMESPACE_HOSTS = new Set(['www.w3.org']);

/** `field` is where the code stands in the creative. */
export function codeFindings(html: string, field: string): Finding[] {
  const scanned = html.slice(0, HTML_SCAN_MAX);
  const found: Finding[] = HTML_RULES.filter((rule) => rule.pattern.test(scanned)).map((rule) => ({
    code: rule.code,
    severity: 'notice',
    field,
  }));
  if (html.length > HTML_SCAN_MAX) {
    found.push({ code: 'HTML_TOO_LONG_TO_SCAN', severity: 'notice', field });
  }
  for (const host of externalHosts(scanned)) {
    found.push({ code: 'HTML_EXTERNAL_HOST', severity: 'notice', field, note: host });
  }
  return found;
}

function externalHosts(html: string): string[] {
  const hosts = new Set<string>();
  for (const match of html.matchAll(
    /(?:\b(?:https?|wss?):)?(?:\/|\\){2}([a-z0-9.-]{1,253}\.[a-z]{2,63})/gi,
  )) {
    const host = match[1]?.toLowerCase();
    if (host !== undefined && !NAMESPACE_HOSTS.has(host)) hosts.add(host);
    if (hosts.size >= EXTERNAL_HOSTS_MAX) break;
  }
  return [...hosts];
}
