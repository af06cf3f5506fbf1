import { factorRecoveryLifecycle } from '../../domain/lifecycle/factor-recovery.ts';
import { PERSON_TYPES } from '../../domain/person.ts';
import { id, ref, state, text, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const factorRecoveries = table('factor_recoveries', {
  id: id(),
  kind: word(['ADVERTISER', 'PUBLISHER', 'OPERATOR']),
  personType: word(PERSON_TYPES),
  personId: ref(),
  accountId: ref().orNull(),
  status: state(factorRecoveryLifecycle).byDefault(),
  device: text().orNull(),
  network: text().orNull(),
  country: text().orNull(),
  notBefore: time(),
  note: text().orNull(),
  endedBy: ref().orNull(),
  createdAt: time().byDefault(),
  endedAt: time().orNull(),
});
export type FactorRecoveryRow = Row<typeof factorRecoveries>;
