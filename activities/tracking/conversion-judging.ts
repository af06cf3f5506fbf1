import type { CountedConversion, StoredClick } from '../../db/queries/conversions.ts';
import type { ConversionRow } from '../../db/tables/conversion.ts';
import type { TrackerRow } from '../../db/tables/tracker.ts';
import { attribute } from '../../domain/tracking/attribution.ts';
import type { Attributed, Dropped, Unattributed } from './conversion-moves.ts';

const WINDOW_DAYS_DEFAULT = 30;

export interface Judged {
  attributed: Attributed[];
  /** Their click was refused. */
  refused: Dropped[];
  unattributed: Unattributed[];
}

/** What each report is by its click alone. */
export function judgeAttribution(
  rows: readonly ConversionRow[],
  known: {
    clicks: ReadonlyMap<string, StoredClick>;
    trackers: ReadonlyMap<number, TrackerRow>;
  },
): Judged {
  const judged: Judged = { attributed: [], refused: [], unattributed: [] };
  for (const conversion of rows) {
    const tracker =
      conversion.trackerId === null ? undefined : known.trackers.get(conversion.trackerId);
    const click = known.clicks.get(conversion.clickId ?? '');
    const rules = {
      advertiserId: tracker?.advertiserId ?? null,
      windowDays: tracker?.attributionWindow ?? WINDOW_DAYS_DEFAULT,
    };
    const when = { now: conversion.createdAt, clickNamed: conversion.clickId !== null };
    const attribution = attribute(rules, click ?? null, when);
    if (attribution.status === 'UNATTRIBUTED' || click === undefined) {
      const reason = 'reason' in attribution ? attribution.reason : 'CLICK_UNKNOWN';
      judged.unattributed.push({ conversion, click: undefined, reason, latencySeconds: null });
    } else if (attribution.status === 'EXPIRED') {
      judged.unattributed.push({ conversion, click, ...attribution });
    } else if (attribution.status === 'REFUSED') {
      const { reason } = attribution;
      judged.refused.push({ conversion, click, tracker, reason, latencySeconds: null });
    } else {
      const { latencySeconds } = attribution;
      judged.attributed.push({ conversion, click, tracker, latencySeconds });
    }
  }
  return judged;
}

export interface Counting {
  counting: Attributed[];
  /** A tracker that counts ONE keeps later reports of the same click, without counting them. */
  before: Dropped[];
  /** Held ones that a signed report has taken the place of. */
  superseded: ConversionRow[];
}

/**
 * Which of them count. A tracker that counts ONE counts one per click, and so does a report without a
 * tracker; what the advertiser's server signed goes before what is held and nobody signed.
 */
export function splitCounted(
  attributed: readonly Attributed[],
  stored: { counted: readonly CountedConversion[]; held: readonly ConversionRow[] },
): Counting {
  const split: Counting = { counting: [], before: [], superseded: [] };
  const firm = new Set<string>();
  const open = new Set<string>();
  for (const row of stored.counted) (row.status === 'PENDING' ? open : firm).add(keyOf(row));
  for (const each of attributed.toSorted(signedFirst)) {
    const { conversion, tracker } = each;
    const key = keyOf(conversion);
    const countsAll = tracker?.countMode === 'EVERY';
    const isLater = firm.has(key) || (open.has(key) && !conversion.isSigned);
    if (!countsAll && isLater) {
      split.before.push({ ...each, reason: 'COUNTED_BEFORE' });
      continue;
    }
    if (!countsAll && conversion.isSigned && open.delete(key)) {
      split.superseded.push(
        ...stored.held.filter((row) => keyOf(row) === key && row.id !== conversion.id),
      );
    }
    (conversion.isSigned ? firm : open).add(key);
    split.counting.push(each);
  }
  return split;
}

const keyOf = ({ trackerId, clickId }: Pick<ConversionRow, 'trackerId' | 'clickId'>): string =>
  `${trackerId ?? 0}|${clickId ?? ''}`;

function signedFirst({ conversion: a }: Attributed, { conversion: b }: Attributed): number {
  return a.isSigned === b.isSigned ? a.id - b.id : Number(b.isSigned) - Number(a.isSigned);
}
