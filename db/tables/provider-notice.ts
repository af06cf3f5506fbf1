import { bytes, id, json, ref, text, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const providerNotices = table('provider_notices', {
  id: id(),
  provider: text(),
  receivedAt: time().byDefault(),
  headers: json<Record<string, string>>(),
  body: bytes(),
  verdict: text().orNull(),
  eventId: text().orNull(),
  depositId: ref().orNull(),
});
export type ProviderNoticeRow = Row<typeof providerNotices>;
