import { type FieldError, invalid } from './errors.ts';

/**
 * How the events of a reversal are found. REJUDGE: judged once more by the rules of now, those that would not
 * be billed. TRAFFIC: all that was billed of a publisher, site or zone. BATCH: all of one settlement batch.
 * EVENTS: named one by one.
 */
export const REVERSAL_SOURCES = ['REJUDGE', 'TRAFFIC', 'BATCH', 'EVENTS'] as const;
export type ReversalSource = (typeof REVERSAL_SOURCES)[number];

/** Of events whose verdict does not say it: what both sides read. */
export const REVERSAL_REASONS = ['INVALID_TRAFFIC', 'BILLING_ERROR'] as const;
export type ReversalReason = (typeof REVERSAL_REASONS)[number];

/** What was asked for; moments in RFC 3339, a day in UTC. A type, as what is kept as JSON is. */
export type ReversalScope = {
  from?: string | undefined;
  to?: string | undefined;
  publisher_id?: number | undefined;
  site_id?: number | undefined;
  zone_id?: number | undefined;
  batch_id?: number | undefined;
  day?: string | undefined;
  event_ids?: string[] | undefined;
};

const DAY_MS = 86_400_000;
/** A longer stretch is several reversals: each is looked at by a person. */
const REVERSAL_DAYS_MAX = 31;
export const REVERSAL_EVENTS_MAX = 1_000;

const FIELDS: Readonly<Record<ReversalSource, readonly (keyof ReversalScope)[]>> = {
  REJUDGE: ['from', 'to', 'publisher_id'],
  TRAFFIC: ['from', 'to', 'publisher_id', 'site_id', 'zone_id'],
  BATCH: ['batch_id'],
  EVENTS: ['day', 'event_ids'],
};
const REQUIRED: Readonly<Record<ReversalSource, readonly (keyof ReversalScope)[]>> = {
  REJUDGE: ['from', 'to'],
  TRAFFIC: ['from', 'to'],
  BATCH: ['batch_id'],
  EVENTS: ['day', 'event_ids'],
};

/** Raises validation_failed, naming every field that the source needs, does not take, or cannot be so. */
export function checkScope(source: ReversalSource, scope: ReversalScope, now: Date): void {
  const given = (Object.keys(scope) as (keyof ReversalScope)[]).filter(
    (field) => scope[field] !== undefined,
  );
  const faults: FieldError[] = [
    ...REQUIRED[source]
      .filter((field) => !given.includes(field))
      .map((field) => ({ field, code: 'required', message: `${source} needs it` })),
    ...given
      .filter((field) => !FIELDS[source].includes(field))
      .map((field) => ({ field, code: 'unknown', message: `${source} does not take it` })),
  ];
  const { from, to } = scope;
  if (from !== undefined && to !== undefined) {
    const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
    if (!(fromMs < toMs)) {
      faults.push({ field: 'to', code: 'min', message: 'must be after from' });
    } else if (toMs - fromMs > REVERSAL_DAYS_MAX * DAY_MS) {
      faults.push({ field: 'from', code: 'range', message: `at most ${REVERSAL_DAYS_MAX} days` });
    }
    if (toMs > now.getTime()) {
      faults.push({ field: 'to', code: 'max', message: 'must not be in the future' });
    }
  }
  const isAimed = [scope.publisher_id, scope.site_id, scope.zone_id].some((id) => id !== undefined);
  if (source === 'TRAFFIC' && !isAimed) {
    const message = 'a publisher, a site or a zone must be named';
    faults.push({ field: 'publisher_id', code: 'required', message });
  }
  if (faults.length > 0) throw invalid(...faults);
}
