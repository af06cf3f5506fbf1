import type { AccountCode } from '../../domain/ledger/chart.ts';
import { id, nanos, ref, text, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const ledgerAccounts = table('ledger_accounts', {
  id: id(),
  code: text<AccountCode>(),
  currency: text(),
  ownerType: text<'ADVERTISER' | 'PUBLISHER'>().orNull(),
  ownerId: ref().orNull(),
  floorNanos: nanos().orNull(),
  balanceNanos: nanos().byDefault(),
  createdAt: time().byDefault(),
  /** Made of the code by the database. */
  kind: text().orNull(),
});
export type LedgerAccountRow = Row<typeof ledgerAccounts>;
