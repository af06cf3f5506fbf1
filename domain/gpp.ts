import { grantsStorage } from './privacy-signals.ts';

/**
 * What a string of the IAB's Global Privacy Platform opts out of, read where it stands: bits in base64url,
 * without a copy of them. Its header names the sections that follow it, each behind a "~".
 */

/** Where a US section (national or of a state) says it, in bits from its start. */
interface Layout {
  /** In the first six bits. */
  version: number;
  /** Two bits each, side by side: of sale, of sharing (not in every state), of targeted advertising. */
  optOuts: { at: number; count: number };
  /** Two bits for each thing that a known child, or who speaks for it, may agree to. */
  children: { at: number; count: number };
}

const layout = (
  [optOutsAt, optOuts]: [number, number],
  [childrenAt, children]: [number, number],
  version = 1,
): Layout => ({
  version,
  optOuts: { at: optOutsAt, count: optOuts },
  children: { at: childrenAt, count: children },
});

/**
 * By section; of Maryland, Indiana, Kentucky and Rhode Island (24 to 27) the text of the standard and its
 * own library disagree on where a section begins, so that theirs are not read.
 */
const US_SECTIONS: ReadonlyMap<number, readonly Layout[]> = new Map([
  [7, [layout([18, 3], [48, 2]), layout([18, 3], [56, 3], 2)]],
  /* California */ [8, [layout([12, 2], [34, 2])]],
  /* Virginia */ [9, [layout([12, 2], [32, 1])]],
  /* Colorado */ [10, [layout([12, 2], [30, 1])]],
  /* Utah */ [11, [layout([14, 2], [34, 1])]],
  /* Connecticut */ [12, [layout([12, 2], [32, 3])]],
  /* Florida */ [13, [layout([12, 2], [32, 3])]],
  /* Montana */ [14, [layout([12, 2], [32, 3])]],
  /* Oregon */ [15, [layout([12, 2], [38, 3])]],
  /* Texas */ [16, [layout([12, 2], [32, 1])]],
  /* Delaware */ [17, [layout([12, 2], [34, 5])]],
  /* Iowa */ [18, [layout([14, 2], [34, 1])]],
  /* Nebraska */ [19, [layout([12, 2], [32, 1])]],
  /* New Hampshire */ [20, [layout([12, 2], [32, 3])]],
  /* New Jersey */ [21, [layout([12, 2], [36, 5])]],
  /* Tennessee */ [22, [layout([12, 2], [32, 1])]],
  /* Minnesota */ [23, [layout([12, 2], [32, 1])]],
]);

/** TCF of the EU and of Canada, and the US Privacy string as it stands. */
const TCF_EU = 2;
const TCF_CANADA = 5;
const US_PRIVACY = 6;

/**
 * Canada does not ask for purpose 1, storage on a device. How often somebody was shown an ad is of purpose 2, the
 * choice of basic ads: agreed to expressly, or by silence and not objected to since; a bit for each, from here.
 */
const CANADA = { version: 1, agreedAt: [152, 176] } as const;

const HEADER_TYPE = 3;
const HEADER_VERSION = 1;
/** More than there are; an id is at most what six bits hold, as in headers of sections. */
const SECTION_MAX = 63;

/** Of a field of two bits; 1 is opted out, and 3 is nothing. */
const NOT_APPLICABLE = 0;
const NOT_OPTED_OUT = 2;

/** The type of the segment that repeats the browser's `Sec-GPC`. */
const SEGMENT_GPC = 1;

/**
 * Whether a section that applies restricts, or cannot be read: each of the EU, Canada and the US that `gpp_sid` names,
 * and of a string alone each that is in it. A section that applies and is not in the string is not readable either.
 */
export function gppRestricts(gpp: string, gppSid: string): boolean {
  if (gpp === '' && gppSid === '') return false;
  const applying = sectionsOf(gppSid)?.filter(isJudged);
  if (applying?.length === 0) return false;
  if (gpp === '') return applying !== undefined;
  const sections = readSections(gpp);
  if (sections === null) return true;
  if (applying !== undefined) {
    return applying.some((id) => !sections.has(id) || sectionRestricts(id, sections.get(id) ?? ''));
  }
  for (const [id, text] of sections) if (isJudged(id) && sectionRestricts(id, text)) return true;
  return false;
}

/** 0 says that it is not known yet which apply, as does what is no number: undefined. None that applies is -1. */
function sectionsOf(gppSid: string): number[] | undefined {
  const sections = gppSid.split(/[,_]/).map(Number);
  return sections.every((id) => Number.isInteger(id) && id !== 0) ? sections : undefined;
}

const isJudged = (section: number): boolean => section === TCF_EU || section >= TCF_CANADA;

/** By id, in their order; null where the header cannot be read or names more than there are, or fewer. */
function readSections(gpp: string): Map<number, string> | null {
  const [header = '', ...texts] = gpp.split('~');
  const bits = new Bits(header);
  if (bits.take(6) !== HEADER_TYPE || bits.take(6) !== HEADER_VERSION) return null;
  const sections = new Map<number, string>();
  let id = 0;
  for (let items = bits.take(12); items > 0; items -= 1) {
    const isGroup = bits.take(1) === 1;
    const first = id + bits.takeFibonacci();
    id = isGroup ? first + bits.takeFibonacci() : first;
    if (bits.isBeyond || id > SECTION_MAX) return null;
    for (let each = first; each <= id; each += 1) sections.set(each, texts[sections.size] ?? '');
  }
  return bits.isBeyond || sections.size !== texts.length ? null : sections;
}

function sectionRestricts(id: number, text: string): boolean {
  if (id === TCF_EU) return !grantsStorage(text);
  if (id === US_PRIVACY) return !/^1[YN-][N-][YN-]$/i.test(text);
  if (!/^[\w.-]*$/.test(text)) return true;
  const [core = '', ...segments] = text.split('.');
  if (id === TCF_CANADA) return canadaRestricts(core);
  return coreRestricts(id, core) || segments.some(segmentRestricts);
}

function canadaRestricts(core: string): boolean {
  const bits = new Bits(core);
  if (bits.take(6) !== CANADA.version) return true;
  let isAgreed = false;
  for (const at of CANADA.agreedAt) {
    bits.goTo(at);
    if (bits.take(1) === 1) isAgreed = true;
  }
  return !isAgreed || bits.isBeyond;
}

function coreRestricts(id: number, core: string): boolean {
  const bits = new Bits(core);
  const version = bits.take(6);
  const found = US_SECTIONS.get(id)?.find((layout) => layout.version === version);
  if (found === undefined) return true;
  const { optOuts, children } = found;
  bits.goTo(optOuts.at);
  for (let left = optOuts.count; left > 0; left -= 1) {
    const said = bits.take(2);
    if (said !== NOT_APPLICABLE && said !== NOT_OPTED_OUT) return true;
  }
  // Who is known to be a child gets what coppa=1 gets, whatever has been agreed to.
  bits.goTo(children.at);
  return bits.take(2 * children.count) !== NOT_APPLICABLE || bits.isBeyond;
}

function segmentRestricts(segment: string): boolean {
  const bits = new Bits(segment);
  return bits.take(2) !== SEGMENT_GPC || bits.take(1) !== 0 || bits.isBeyond;
}

/** Read from their start on; what is beyond the end, or behind no letter of base64url, is 0 and `isBeyond`. */
class Bits {
  isBeyond = false;
  #at = 0;

  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  goTo(at: number): void {
    this.#at = at;
  }

  take(count: number): number {
    let value = 0;
    for (let left = count; left > 0; left -= 1) {
      const letter = sixBits(this.#text.charCodeAt(Math.trunc(this.#at / 6)));
      if (letter < 0) this.isBeyond = true;
      value = value * 2 + (letter < 0 ? 0 : (letter >> (5 - (this.#at % 6))) & 1);
      this.#at += 1;
    }
    return value;
  }

  /** The sum of the Fibonacci numbers (1, 2, 3, 5 …) whose bit is set, until two bits in a row are. */
  takeFibonacci(): number {
    let sum = 0;
    let [fibonacci, next, before] = [1, 2, 0];
    while (!this.isBeyond && sum <= SECTION_MAX) {
      const bit = this.take(1);
      if (bit === 1 && before === 1) return sum;
      sum += bit * fibonacci;
      before = bit;
      [fibonacci, next] = [next, fibonacci + next];
    }
    return sum;
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const SIX_BITS = new Int8Array(128).fill(-1);
for (let value = 0; value < LETTERS.length; value += 1) SIX_BITS[LETTERS.charCodeAt(value)] = value;

const sixBits = (code: number): number => SIX_BITS[code] ?? -1;
