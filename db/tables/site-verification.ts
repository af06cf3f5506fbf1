import { VERIFY_METHODS, siteVerificationLifecycle } from '../../domain/lifecycle/site.ts';
import { id, ref, state, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const siteVerifications = table('site_verifications', {
  id: id(),
  siteId: ref(),
  round: whole(),
  method: word(VERIFY_METHODS),
  status: state(siteVerificationLifecycle).byDefault(),
  attempts: whole().byDefault(),
  lastOutcome: text().orNull(),
  createdAt: time().byDefault(),
  finishedAt: time().orNull(),
});
export type SiteVerificationRow = Row<typeof siteVerifications>;
