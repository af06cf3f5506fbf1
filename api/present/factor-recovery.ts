import type * as yup from 'yup';
import type { ListedRecovery } from '../../db/queries/factor-recoveries.ts';
import { FACTOR_RECOVERY_STATUSES } from '../../domain/lifecycle/factor-recovery.ts';
import { PERSON_TYPES } from '../../domain/person.ts';
import {
  idOf,
  idOrNullOf,
  oneOf,
  record,
  time,
  timeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

/** interface 5.17: somebody who says that every second factor is lost. */
export const factorRecoveryShape = record(
  {
    id: idOf(),
    kind: oneOf(['ADVERTISER', 'PUBLISHER', 'OPERATOR']),
    person: oneOf(PERSON_TYPES),
    username: wordsOrNull(),
    account_id: idOrNullOf(),
    status: oneOf(FACTOR_RECOVERY_STATUSES),
    /** Where it was asked for: kind of browser, network, country. */
    device: wordsOrNull(),
    network: wordsOrNull(),
    country: wordsOrNull(),
    /** Nobody grants it before. */
    not_before: time(),
    /** Of whoever vouched: a second person decides it. */
    approval_id: idOrNullOf(),
    vouched_by: wordsOrNull(),
    ended_by: wordsOrNull(),
    /** Why it ended: a word of an operator, or FACTOR_SHOWN, PASSWORD_CHANGED, EMAIL_CHANGED, DISOWNED. */
    note: wordsOrNull(),
    created_at: time(),
    ended_at: timeOrNull(),
  },
  'FactorRecovery',
);

export const askedRecoveryShape = record({ status: words(), not_before: time() });

export const presentRecovery = (
  row: ListedRecovery,
): yup.InferType<typeof factorRecoveryShape> => ({
  id: row.id,
  kind: row.kind,
  person: row.personType,
  username: row.username,
  account_id: row.accountId,
  status: row.status,
  device: row.device,
  network: row.network,
  country: row.country,
  not_before: row.notBefore.toISOString(),
  approval_id: row.approvalId,
  vouched_by: row.vouchedBy,
  ended_by: row.endedByName,
  note: row.note,
  created_at: row.createdAt.toISOString(),
  ended_at: row.endedAt?.toISOString() ?? null,
});
