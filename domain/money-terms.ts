import { COUNTRIES } from './countries.ts';
import { type FieldError, invalid } from './errors.ts';
import type { KycEntityType } from './lifecycle/kyc.ts';

/**
 * What decides money by its day (interface 5.21): the part of a price that a publisher earns, and the part of a
 * withdrawal that is withheld for the tax office.
 */
export const MONEY_TERM_KINDS = ['SHARE', 'TAX'] as const;
export type MoneyTermKind = (typeof MONEY_TERM_KINDS)[number];

/** Who or what a term is for; null is everybody's, or any. */
export interface TermScope {
  kind: MoneyTermKind;
  publisherId: number | null;
  country: string | null;
  entityType: KycEntityType | null;
}

export interface TermProposal extends TermScope {
  ppm: number;
  /** The law or treaty behind a tax, which publishers read. */
  basis: string | null;
  note: string;
  /** The UTC day that it begins with, `YYYY-MM-DD`. */
  from: string;
}

const PPM_PER_PERCENT = 10_000;
const MOST_PPM: Readonly<Record<MoneyTermKind, number>> = { SHARE: 1_000_000, TAX: 500_000 };
/** As long before its day a term must be agreed at the latest: no event of that day is settled yet. */
const AHEAD_MS = 3_600_000;
const FARTHEST_MS = 5 * 366 * 86_400_000;

/** Percent with at most four decimals, as parts per million; undefined for a finer one. */
export function ppmOf(percent: number): number | undefined {
  const ppm = Math.round(percent * PPM_PER_PERCENT);
  return Math.abs(ppm - percent * PPM_PER_PERCENT) < 1e-6 ? ppm : undefined;
}
export const percentOf = (ppm: number): number => ppm / PPM_PER_PERCENT;

export const beginOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
const isToCome = (begin: Date, now: Date): boolean => begin.getTime() >= now.getTime() + AHEAD_MS;

/** Raises validation_failed with every wrong field. */
export function checkProposal(proposal: TermProposal, now: Date): void {
  const { kind, publisherId, country, entityType, ppm, basis } = proposal;
  const faults: FieldError[] = [];
  const fault = (field: string, code: string, message: string): unknown =>
    faults.push({ field, code, message });
  if (kind === 'SHARE') {
    if (country !== null) fault('country', 'exclusive', 'a share is of a publisher or of all');
    if (entityType !== null) fault('entity_type', 'exclusive', 'a share is of no entity type');
    if (basis !== null) fault('basis', 'exclusive', 'a share has no legal basis');
  } else {
    if (publisherId !== null) fault('publisher_id', 'exclusive', 'a tax is of a country');
    if (country !== null && !COUNTRIES.has(country)) {
      fault('country', 'country', 'must be a country as ISO 3166-1 alpha-2');
    }
    if (basis === null) fault('basis', 'required', 'name the law or treaty that publishers read');
  }
  if (ppm > MOST_PPM[kind]) {
    fault('percent', 'max', `must be at most ${percentOf(MOST_PPM[kind])}`);
  }
  const begin = beginOf(proposal.from);
  if (!isToCome(begin, now)) {
    fault('from', 'to_come', 'must be a day that is still to come, by an hour at the least');
  } else if (begin.getTime() > now.getTime() + FARTHEST_MS) {
    fault('from', 'max', 'must be within five years');
  }
  if (faults.length > 0) throw invalid(...faults);
}

/**
 * What is withheld of a publisher's withdrawals, and why it is that much. Where no term is agreed it is the
 * platform's setting `payout.tax_ppm`.
 */
export interface TaxTerm {
  id: number;
  ppm: number;
  country: string | null;
  entityType: KycEntityType | null;
  basis: string;
}
