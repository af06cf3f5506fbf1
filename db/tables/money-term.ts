import { KYC_ENTITY_TYPES } from '../../domain/lifecycle/kyc.ts';
import { moneyTermLifecycle } from '../../domain/lifecycle/money-term.ts';
import { MONEY_TERM_KINDS } from '../../domain/money-terms.ts';
import { id, ref, state, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const moneyTerms = table('money_terms', {
  id: id(),
  kind: word(MONEY_TERM_KINDS),
  publisherId: ref().orNull(),
  country: text().orNull(),
  entityType: word(KYC_ENTITY_TYPES).orNull(),
  ppm: whole(),
  basis: text().orNull(),
  note: text().byDefault(),
  effectiveFrom: time(),
  effectiveUntil: time().orNull(),
  status: state(moneyTermLifecycle).byDefault(),
  makerId: ref().orNull(),
  checkerId: ref().orNull(),
  createdAt: time().byDefault(),
  decidedAt: time().orNull(),
  /** Made of the above by the database. */
  scope: text().orNull(),
});
export type MoneyTermRow = Row<typeof moneyTerms>;
