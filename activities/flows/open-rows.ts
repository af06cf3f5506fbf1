import { nanos, ref, time, whole } from '../../db/schema/column.ts';
import { columnsOf, select } from '../../db/schema/selection.ts';
import { aiJobs } from '../../db/tables/ai-job.ts';
import { deposits } from '../../db/tables/deposit.ts';
import { domainTransfers } from '../../db/tables/domain-transfer.ts';
import { postbacks } from '../../db/tables/postback.ts';
import { reviews } from '../../db/tables/review.ts';
import { siteVerifications } from '../../db/tables/site-verification.ts';
import { webhookDeliveries } from '../../db/tables/webhook-delivery.ts';

/** What rows that wait for their flow say of themselves (open-flows.ts). */
interface Own {
  since?: string;
  /** Whose it is, and what it is about, in SQL. */
  account?: string;
  amount?: string;
}

/** What each open row says of itself: `key` is what pages are counted by. */
const own = ({ since = 'created_at', account = 'r.account_id', amount = 'NULL' }: Own = {}) => ({
  key: ref().of('r.id'),
  since: time().of(`r.${since}`),
  accountId: ref().orNull().of(account),
  amountNanos: nanos().orNull().of(`${amount}::bigint`),
});
export const PLAIN = select(own());
export const SUSPENSE = select(own({ account: 'd.advertiser_id', amount: 'r.amount_nanos' }));
export const WITHDRAWAL = select(own({ account: 'r.publisher_id', amount: 'r.amount_nanos' }));
export const REVIEW = select({
  ...own(),
  ...columnsOf(reviews, 'r', ['subjectType', 'subjectId', 'round']),
});
export const VERIFICATION = select({
  ...own({ account: '(SELECT publisher_id FROM sites WHERE id = r.site_id)' }),
  ...columnsOf(siteVerifications, 'r', ['siteId', 'round', 'attempts']),
});
export const TRANSFER = select({
  ...own({ account: 'r.claimant_id' }),
  ...columnsOf(domainTransfers, 'r', ['dueAt', 'status']),
});
export const APPEAL = select(own({ account: 'r.publisher_id' }));
export const REVERSAL = select(own({ account: 'NULL::bigint' }));
export const DEPOSIT = select({
  ...own({ account: 'r.advertiser_id', amount: 'r.amount_nanos' }),
  ...columnsOf(deposits, 'r', ['expiresAt', 'paymentMethod']),
});
export const REWARD = select({
  ...own({ since: 'granted_at', account: 'r.publisher_id' }),
  attempts: whole().of('r.callback_attempts'),
});
export const JOB = select({
  ...own({ account: 'r.advertiser_id' }),
  ...columnsOf(aiJobs, 'r', ['kind', 'request']),
});
export const POSTBACK = select({
  ...own({ account: 'r.advertiser_id' }),
  ...columnsOf(postbacks, 'r', ['attempts', 'testId']),
});
export const WEBHOOK = select({
  ...own(),
  ...columnsOf(webhookDeliveries, 'r', ['attempts', 'kind']),
});

export type Selections =
  | typeof PLAIN
  | typeof REVIEW
  | typeof VERIFICATION
  | typeof TRANSFER
  | typeof DEPOSIT
  | typeof REWARD
  | typeof JOB
  | typeof POSTBACK
  | typeof WEBHOOK;
