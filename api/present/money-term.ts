import type * as yup from 'yup';
import type { ShownTerm } from '../../db/queries/money-terms.ts';
import type { WithdrawalTerms } from '../../db/tables/json.ts';
import { KYC_ENTITY_TYPES } from '../../domain/lifecycle/kyc.ts';
import { MONEY_TERM_STATUSES } from '../../domain/lifecycle/money-term.ts';
import { MONEY_TERM_KINDS, percentOf, type TaxTerm } from '../../domain/money-terms.ts';
import {
  flag,
  fraction,
  idOf,
  idOrNullOf,
  oneOf,
  oneOfOrNull,
  record,
  time,
  timeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

export const moneyTermShape = record(
  {
    id: idOf(),
    kind: oneOf(MONEY_TERM_KINDS),
    /** Of a share; null is the platform's default. */
    publisher_id: idOrNullOf(),
    publisher: wordsOrNull(),
    /** Of a tax; null is any. */
    country: wordsOrNull(),
    entity_type: oneOfOrNull(KYC_ENTITY_TYPES),
    percent: fraction(),
    /** Of a tax: the law or treaty that publishers read. */
    basis: wordsOrNull(),
    note: words(),
    status: oneOf(MONEY_TERM_STATUSES),
    /** By which it is decided (5.19); null of those that were agreed before there were approvals. */
    approval_id: idOrNullOf(),
    /** Approved, begun and not ended. */
    in_force: flag(),
    /** Null: from the beginning. */
    from: timeOrNull(),
    /** Excluded; null: until another one begins. */
    until: timeOrNull(),
    maker_id: idOrNullOf(),
    maker: wordsOrNull(),
    checker: wordsOrNull(),
    created_at: time(),
    decided_at: timeOrNull(),
  },
  'MoneyTerm',
);

export const presentMoneyTerm = (row: ShownTerm): yup.InferType<typeof moneyTermShape> => ({
  id: row.id,
  kind: row.kind,
  publisher_id: row.publisherId,
  publisher: row.publisher,
  country: row.country,
  entity_type: row.entityType,
  percent: percentOf(row.ppm),
  basis: row.basis,
  note: row.note,
  status: row.status,
  approval_id: row.approvalId,
  in_force: row.inForce,
  from: row.effectiveFrom?.toISOString() ?? null,
  until: row.effectiveUntil?.toISOString() ?? null,
  maker_id: row.makerId,
  maker: row.maker,
  checker: row.checker,
  created_at: row.createdAt.toISOString(),
  decided_at: row.decidedAt?.toISOString() ?? null,
});

/** Why so much is withheld: whom the term is for, and its law or treaty. */
export const taxReasonShape = record({
  country: wordsOrNull(),
  entity_type: oneOfOrNull(KYC_ENTITY_TYPES),
  basis: words(),
}).nullable();

/** Null where it is the platform's setting. */
export const presentTaxReason = (tax: TaxTerm | undefined): yup.InferType<typeof taxReasonShape> =>
  tax === undefined
    ? null
    : { country: tax.country, entity_type: tax.entityType, basis: tax.basis };

export const presentKeptTax = ({ tax }: WithdrawalTerms): yup.InferType<typeof taxReasonShape> =>
  tax === undefined
    ? null
    : { country: tax.country, entity_type: tax.entity_type, basis: tax.basis };

export const revenueShareShape = record(
  {
    /** Of what advertisers pay, in percent. */
    percent: fraction(),
    /** Agreed with this publisher; else everybody's. */
    is_own: flag(),
    /** Null: from the beginning. */
    since: timeOrNull(),
    /** What is agreed to follow it. */
    next: record({ percent: fraction(), from: time() }).nullable(),
  },
  'RevenueShare',
);

/** Of the terms in force and to come, their own and everybody's, in the order of their days. */
export function presentRevenueShare(
  terms: readonly ShownTerm[],
): yup.InferType<typeof revenueShareShape> {
  const ours = terms.filter(({ inForce }) => inForce);
  const now = ours.find(({ publisherId }) => publisherId !== null) ?? ours[0];
  // Everybody's means nothing to whom has agreed their own.
  const next = terms.find(
    ({ inForce, publisherId }) =>
      !inForce && (publisherId !== null || (now?.publisherId ?? null) === null),
  );
  const begin = next?.effectiveFrom ?? null;
  return {
    percent: percentOf(now?.ppm ?? 0),
    is_own: (now?.publisherId ?? null) !== null,
    since: now?.effectiveFrom?.toISOString() ?? null,
    next:
      next === undefined || begin === null
        ? null
        : { percent: percentOf(next.ppm), from: begin.toISOString() },
  };
}
