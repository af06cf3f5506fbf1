import { runner } from '../../db/postgres.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { readRows, type RowOf } from '../../db/schema/selection.ts';
import { amountBand } from '../../domain/amount-band.ts';
import { OPEN_TRANSFER_STATUSES } from '../../domain/lifecycle/domain-transfer.ts';
import { MOVING_REFUND_STATES, OPEN_DEPOSIT_STATUSES } from '../../domain/lifecycle/deposit.ts';
import { OPEN_REVERSAL_STATUSES } from '../../domain/lifecycle/reversal.ts';
import { VERIFY_RETRY_SECONDS } from '../../domain/lifecycle/site.ts';
import { OPEN_WITHDRAWAL_STATUSES } from '../../domain/lifecycle/withdrawal.ts';
import { POSTBACK_RETRY_SECONDS } from '../../domain/tracking/postback.ts';
import { TEST_KIND, WEBHOOK_RETRY_SECONDS } from '../../domain/webhook.ts';
import { AI_JOB_WORKFLOW, aiJobStart } from '../../workflows/contracts/ai-job.ts';
import {
  DEPOSIT_WORKFLOW,
  depositStart,
  REFUND_WORKFLOW,
  refundStart,
  SUSPENSE_WORKFLOW,
  suspenseStart,
} from '../../workflows/contracts/deposit.ts';
import {
  DOMAIN_TRANSFER_WORKFLOW,
  domainTransferStart,
} from '../../workflows/contracts/domain-transfer.ts';
import { EXPORT_WORKFLOW, exportStart } from '../../workflows/contracts/export.ts';
import { KYC_WORKFLOW, kycStart } from '../../workflows/contracts/kyc.ts';
import { MAIL_WORKFLOW, mailStart } from '../../workflows/contracts/mail.ts';
import {
  POSTBACK_WORKFLOW,
  postbackStart,
  postbackWorkflowId,
} from '../../workflows/contracts/postback.ts';
import type { FlowStart } from '../../workflows/contracts/queues.ts';
import {
  REMOVAL_APPEAL_WORKFLOW,
  removalAppealStart,
} from '../../workflows/contracts/removal-appeal.ts';
import { REVERSAL_WORKFLOW, reversalStart } from '../../workflows/contracts/reversal.ts';
import { REVIEW_WORKFLOW, reviewStart } from '../../workflows/contracts/review.ts';
import {
  REWARD_CALLBACK_WORKFLOW,
  rewardCallbackStart,
} from '../../workflows/contracts/reward-callback.ts';
import {
  SITE_VERIFICATION_WORKFLOW,
  siteVerificationStart,
} from '../../workflows/contracts/site-verification.ts';
import {
  WEBHOOK_WORKFLOW,
  webhookStart,
  webhookWorkflowId,
} from '../../workflows/contracts/webhook.ts';
import { WITHDRAWAL_WORKFLOW, withdrawalStart } from '../../workflows/contracts/withdrawal.ts';
import { askedEvery } from '../deposits/deposit-order.ts';
import type { ActivityDeps } from '../deps.ts';
import type { Providers } from '../providers/compose.ts';
import { REWARD_RETRY_SECONDS } from '../tracking/rewards.ts';
import {
  APPEAL,
  DEPOSIT,
  JOB,
  PLAIN,
  POSTBACK,
  REVERSAL,
  REVIEW,
  REWARD,
  type Selections,
  SUSPENSE,
  TRANSFER,
  VERIFICATION,
  WEBHOOK,
  WITHDRAWAL,
} from './open-rows.ts';
import { WITHDRAWAL_WAITS } from '../withdrawals/withdrawals.ts';

/** A row that waits for its flow, and how that flow is begun so that it goes on from the row. */
export interface OpenFlow {
  start: FlowStart;
  /** Ids under which the flow may run by now: one that sends again counts its attempts in its id. */
  ids: readonly string[];
  since: Date;
}

const PAGE = 1_000;
const words = (statuses: readonly string[]): string =>
  statuses.map((each) => `'${each}'`).join(', ');

/** Every row of one kind that waits, page by page. */
function source<Of extends Selections>(
  rows: Of,
  from: string,
  flow: (row: RowOf<Of>, providers: Providers) => FlowStart | { start: FlowStart; ids: string[] },
) {
  return async function* each(sql: SqlRunner, providers: Providers): AsyncGenerator<OpenFlow> {
    for (let after = 0; ;) {
      const statement = `SELECT ${rows.list} FROM ${from} AND r.id > $1 ORDER BY r.id LIMIT ${PAGE}`;
      const page = (await readRows(sql, rows as typeof PLAIN, statement, [after])) as RowOf<Of>[];
      for (const row of page) {
        const { key: id, since, ...about } = row as RowOf<typeof PLAIN>;
        after = id;
        const made = flow(row, providers);
        const { start, ids } = 'start' in made ? made : { start: made, ids: [made.workflowId] };
        yield { start: withAttributes(start, about), ids, since };
      }
      if (page.length < PAGE) return;
    }
  };
}

/** As at its first start: lists are filtered by them. */
const withAttributes = (
  start: FlowStart,
  { accountId, amountNanos }: Pick<RowOf<typeof PLAIN>, 'accountId' | 'amountNanos'>,
): FlowStart => ({
  ...start,
  attributes: {
    ...start.attributes,
    accountId,
    ...(amountNanos === null ? {} : { amountBand: amountBand(amountNanos) }),
  },
});

/** The waits that are left after so many attempts; one that is sent again begins anew. */
const waitsLeft = (waits: readonly number[], attempts: number): readonly number[] =>
  waits.slice(attempts % (waits.length + 1));

/** `idOf(1)` to `idOf(attempts + 1)`: a flow is named by the attempt that it began with. */
const idsUpTo = (attempts: number, idOf: (firstAttempt: number) => string): string[] =>
  Array.from({ length: attempts + 1 }, (_, at) => idOf(at + 1));

/**
 * Money in suspense is its order's to look at, unless the order is closed, has looked and asked
 * nobody, or nobody's.
 */
const UNPLACED = `deposit_receipts r JOIN deposits d ON d.id = r.deposit_id WHERE r.state = 'SUSPENSE'
  AND (d.status NOT IN (${words(OPEN_DEPOSIT_STATUSES)}) OR (
    EXISTS (SELECT FROM effects e WHERE e.key = 'deposit:' || d.id || ':confirm:' || r.id)
    AND NOT EXISTS (SELECT FROM tasks t WHERE t.workflow_id = 'deposit:' || d.id
      AND t.status = 'open' AND (t.payload->>'receipt_id')::bigint = r.id)))`;

/** On its way back to whoever paid it. */
const SENT_BACK = `deposit_receipts r JOIN deposits d ON d.id = r.deposit_id WHERE r.state = 'REFUNDING'`;
/** Parts of balances, from their approval on. */
const PART_SENT_BACK = `deposit_refunds r JOIN balance_refunds d ON d.id = r.balance_refund_id
  WHERE r.state IN (${words(MOVING_REFUND_STATES)})`;

/** What was upheld is open until it is paid. Before anybody was named, it was paid apart from its flow. */
const OPEN_APPEAL = `(r.status = 'OPEN'
  OR (r.status = 'UPHELD' AND r.upheld_by IS NOT NULL AND r.restored_at IS NULL))`;

const SOURCES: readonly ((sql: SqlRunner, providers: Providers) => AsyncGenerator<OpenFlow>)[] = [
  source(
    REVIEW,
    `reviews r WHERE r.status = 'OPEN' AND r.begun_at IS NOT NULL`,
    ({ subjectType, subjectId, round }) => reviewStart({ subjectType, subjectId, round }),
  ),
  source(
    VERIFICATION,
    `site_verifications r WHERE r.status = 'RUNNING'`,
    ({ siteId, round, attempts }) =>
      siteVerificationStart({
        siteId,
        round,
        retryAfterSeconds: VERIFY_RETRY_SECONDS,
        firstAttempt: attempts + 1,
      }),
  ),
  source(
    TRANSFER,
    `domain_transfers r WHERE r.status IN (${words(OPEN_TRANSFER_STATUSES)})`,
    // What a person decides waits for no notice.
    ({ key: transferId, dueAt, since, status }) =>
      domainTransferStart({
        transferId,
        dueAt: (status === 'DISPUTED' ? since : dueAt).toISOString(),
      }),
  ),
  source(PLAIN, `kyc_applications r WHERE r.status = 'PENDING'`, (row) =>
    kycStart({ applicationId: row.key }),
  ),
  source(APPEAL, `removal_appeals r WHERE ${OPEN_APPEAL}`, (row) =>
    removalAppealStart({ appealId: row.key }),
  ),
  source(REVERSAL, `reversals r WHERE r.status IN (${words(OPEN_REVERSAL_STATUSES)})`, (row) =>
    reversalStart({ reversalId: row.key }),
  ),
  source(
    DEPOSIT,
    `deposits r WHERE r.status IN (${words(OPEN_DEPOSIT_STATUSES)})`,
    (row, providers) =>
      depositStart({
        depositId: row.key,
        expiresAt: row.expiresAt.toISOString(),
        ...askedEvery(providers, row.paymentMethod),
      }),
  ),
  source(SUSPENSE, UNPLACED, (row) => suspenseStart({ receiptId: row.key })),
  source(SUSPENSE, SENT_BACK, (row) => suspenseStart({ receiptId: row.key, isRefunding: true })),
  source(SUSPENSE, PART_SENT_BACK, (row) => refundStart({ refundId: row.key })),
  source(
    WITHDRAWAL,
    `withdrawals r WHERE r.status IN (${words(OPEN_WITHDRAWAL_STATUSES)})`,
    (row) => withdrawalStart({ withdrawalId: row.key, ...WITHDRAWAL_WAITS }),
  ),
  source(JOB, `ai_jobs r WHERE r.status = 'OPEN'`, (row) =>
    aiJobStart({ jobId: row.key, items: row.kind === 'COPY' ? 1 : row.request.count }),
  ),
  source(PLAIN, `report_exports r WHERE r.status = 'WRITING'`, (row) =>
    exportStart({ exportId: row.key }),
  ),
  source(PLAIN, `mails r WHERE r.status = 'QUEUED'`, (row) => mailStart({ mailId: row.key })),
  source(REWARD, `rewards r WHERE r.callback_status = 'QUEUED'`, (row) =>
    rewardCallbackStart({
      rewardId: row.key,
      retryAfterSeconds: waitsLeft(REWARD_RETRY_SECONDS, row.attempts),
    }),
  ),
  source(POSTBACK, `postbacks r WHERE r.status = 'PENDING'`, (row) => {
    const { key: postbackId, attempts } = row;
    const waits = row.testId === null ? POSTBACK_RETRY_SECONDS : [];
    return {
      start: postbackStart({
        postbackId,
        firstAttempt: attempts + 1,
        retryAfterSeconds: waitsLeft(waits, attempts),
      }),
      ids: idsUpTo(attempts, (firstAttempt) => postbackWorkflowId({ postbackId, firstAttempt })),
    };
  }),
  source(WEBHOOK, `webhook_deliveries r WHERE r.status = 'PENDING'`, (row) => {
    const { key: deliveryId, attempts } = row;
    const waits = row.kind === TEST_KIND ? [] : WEBHOOK_RETRY_SECONDS;
    return {
      start: webhookStart({
        deliveryId,
        firstAttempt: attempts + 1,
        retryAfterSeconds: waitsLeft(waits, attempts),
      }),
      ids: idsUpTo(attempts, (firstAttempt) => webhookWorkflowId({ deliveryId, firstAttempt })),
    };
  }),
];

/** Flows that an open row waits for; the others are loops and what a schedule starts. */
export const ROW_FLOWS: ReadonlySet<string> = new Set([
  REVIEW_WORKFLOW,
  SITE_VERIFICATION_WORKFLOW,
  KYC_WORKFLOW,
  DOMAIN_TRANSFER_WORKFLOW,
  REMOVAL_APPEAL_WORKFLOW,
  REVERSAL_WORKFLOW,
  DEPOSIT_WORKFLOW,
  SUSPENSE_WORKFLOW,
  REFUND_WORKFLOW,
  WITHDRAWAL_WORKFLOW,
  AI_JOB_WORKFLOW,
  EXPORT_WORKFLOW,
  MAIL_WORKFLOW,
  REWARD_CALLBACK_WORKFLOW,
  POSTBACK_WORKFLOW,
  WEBHOOK_WORKFLOW,
]);

/** Every row of the platform that waits for a flow. */
export async function* openFlows({
  db,
  providers,
}: Pick<ActivityDeps, 'db' | 'providers'>): AsyncGenerator<OpenFlow> {
  for (const each of SOURCES) yield* each(runner(db), providers);
}
