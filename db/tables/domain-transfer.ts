import { domainTransferLifecycle } from '../../domain/lifecycle/domain-transfer.ts';
import { VERIFY_METHODS } from '../../domain/lifecycle/site.ts';
import { id, ref, state, text, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

/** A domain that somebody proved while another account holds it. */
export const domainTransfers = table('domain_transfers', {
  id: id(),
  domain: text(),
  claimantId: ref(),
  claimantSiteId: ref(),
  holderId: ref(),
  holderSiteId: ref(),
  method: word(VERIFY_METHODS),
  status: state(domainTransferLifecycle).byDefault(),
  dueAt: time(),
  objection: text().orNull(),
  objectedAt: time().orNull(),
  claimantOutcome: text().orNull(),
  holderOutcome: text().orNull(),
  createdAt: time().byDefault(),
  endedAt: time().orNull(),
});
export type DomainTransferRow = Row<typeof domainTransfers>;
