import type * as yup from 'yup';
import type { TransferScreen } from '../../db/queries/domain-transfers.ts';
import { TRANSFER_STATUSES } from '../../domain/lifecycle/domain-transfer.ts';
import { VERIFY_METHODS } from '../../domain/lifecycle/site.ts';
import {
  idOf,
  oneOf,
  record,
  time,
  timeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { presentRow } from '../http/wire.ts';

/** interface 4.9, as operators see it; outcomes are those of a look for a proof. */
export const domainTransferShape = record(
  {
    id: idOf(),
    domain: words(),
    status: oneOf(TRANSFER_STATUSES),
    method: oneOf(VERIFY_METHODS),
    claimant_id: idOf(),
    claimant_name: words(),
    claimant_site_id: idOf(),
    claimant_outcome: wordsOrNull(),
    holder_id: idOf(),
    holder_name: words(),
    holder_site_id: idOf(),
    holder_domain: wordsOrNull(),
    holder_since: timeOrNull(),
    holder_outcome: wordsOrNull(),
    objection: wordsOrNull(),
    objected_at: timeOrNull(),
    due_at: time(),
    created_at: time(),
    ended_at: timeOrNull(),
  },
  'DomainTransfer',
);

export const presentTransfer = (row: TransferScreen): yup.InferType<typeof domainTransferShape> =>
  presentRow(domainTransferShape, row, {});
