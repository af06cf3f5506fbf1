import { INVENTORY_OWNERS } from './inventory-owner.ts';
import { flag, ref, text, time } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { balanceRefunds } from '../tables/balance-refund.ts';
import { deposits } from '../tables/deposit.ts';
import { payouts } from '../tables/payout.ts';
import { reviews } from '../tables/review.ts';
import { siteVerifications } from '../tables/site-verification.ts';
import { tasks } from '../tables/task.ts';
import { withdrawals } from '../tables/withdrawal.ts';

const { zone: _noStory, ...INVENTORY } = INVENTORY_OWNERS;
/** What has a story, and whose it is. */
const OWNERS = {
  ...INVENTORY,
  deposit: 'deposits.advertiser_id',
  withdrawal: 'withdrawals.publisher_id',
  kyc: 'kyc_applications.account_id',
  balance_refund: 'balance_refunds.advertiser_id',
} as const;
export type TimelineSubject = keyof typeof OWNERS;
export const TIMELINE_SUBJECTS = Object.keys(OWNERS) as TimelineSubject[];

const TASK = select({
  ...columnsOf(tasks, 't', [
    'id',
    'kind',
    'status',
    'requiredRole',
    'openedAt',
    'decidedAt',
    'dueAt',
  ]),
  /** Open ones that operators of this role will come to before. */
  ahead: ref().of(`(SELECT count(*) FROM tasks a WHERE t.status = 'open' AND a.status = 'open'
    AND a.required_role = t.required_role AND (a.due_at, a.id) < (t.due_at, t.id))`),
  decision: text()
    .orNull()
    .of('(SELECT d.decision FROM task_decisions d WHERE d.id = t.decision_id)'),
});
const REVIEW = select(
  columnsOf(reviews, 'r', ['round', 'status', 'createdAt', 'decidedAt', 'begunAt', 'recalledBy']),
);
const PROOF = select({
  ...columnsOf(siteVerifications, 'v', [
    'round',
    'status',
    'attempts',
    'lastOutcome',
    'createdAt',
    'finishedAt',
  ]),
  nextAt: time().orNull()
    .of(`(SELECT (o.progress->>'next_attempt_at')::timestamptz FROM operations o
      WHERE o.workflow_id = 'site-verify:' || v.site_id || ':' || v.round)`),
});
/** Of what was cancelled: its owner did not. */
const ofPlatform = (subject: 'deposit' | 'withdrawal', id: string) =>
  flag()
    .of(`EXISTS (SELECT FROM audit_log a WHERE a.subject_type = '${subject}' AND a.subject_id = ${id}
    AND a.action = '${subject}.cancel' AND a.actor_type = 'SYSTEM')`);
const DEPOSIT = select({
  ...columnsOf(deposits, 'd', ['status', 'createdAt', 'updatedAt', 'expiresAt', 'paidAt']),
  receivedAt: time()
    .orNull()
    .of(
      `(SELECT min(r.created_at) FROM deposit_receipts r WHERE r.deposit_id = d.id AND r.state <> 'TAKEN_BACK')`,
    ),
  isOfPlatform: ofPlatform('deposit', 'd.id'),
  /** Since when money of it is on its way back to whoever paid it. */
  returningSince: time().orNull()
    .of(`(SELECT min(b.created_at) FROM deposit_refunds b JOIN deposit_receipts r ON r.id = b.id
      WHERE r.deposit_id = d.id AND b.state NOT IN ('SENT', 'RELEASED'))`),
});
const WITHDRAWAL = select({
  ...columnsOf(withdrawals, 'w', ['status', 'createdAt', 'updatedAt', 'notBefore', 'paidAt']),
  isOfPlatform: ofPlatform('withdrawal', 'w.id'),
  payout: payouts.columns.state.orNull().of('p.state'),
  tries: payouts.columns.tries.orNull().of('p.tries'),
  looks: payouts.columns.looks.orNull().of('p.looks'),
  begunAt: payouts.columns.createdAt.orNull().of('p.created_at'),
});
const REFUND = select({
  ...columnsOf(balanceRefunds, 'b', ['status', 'createdAt', 'approvedAt', 'endedAt']),
  /** Whoever asked could not let it through alone. */
  takesTwo: flag().of(`EXISTS (SELECT FROM approvals p WHERE p.kind = 'balance_refund'
    AND p.subject = b.id::text AND NOT p.alone)`),
  /** Parts that nobody is asked about: their providers have them. */
  underWay: ref().of(`(SELECT count(*) FROM deposit_refunds w WHERE w.balance_refund_id = b.id
    AND w.state IN ('TO_SEND', 'SENDING'))`),
  tries: ref().of(
    '(SELECT COALESCE(max(w.attempt), 0) FROM deposit_refunds w WHERE w.balance_refund_id = b.id)',
  ),
});
const CREATED = select({ createdAt: time().of('k.created_at') });

const OF_SUBJECT = 't.subject_type = $2 AND t.subject_id = $1';
/** What is asked about a refund is asked about its parts, each by a flow of its own. */
const OF_REFUND = `$2 = 'balance_refund' AND t.workflow_id IN (SELECT 'refund:' || w.id FROM deposit_refunds w
  WHERE w.balance_refund_id = $1)`;

/** Everything that is known of one subject's way; what does not belong to its kind is empty. */
export interface TimelineFacts {
  tasks: RowOf<typeof TASK>[];
  reviews: RowOf<typeof REVIEW>[];
  proofs: RowOf<typeof PROOF>[];
  deposit: RowOf<typeof DEPOSIT> | undefined;
  withdrawal: RowOf<typeof WITHDRAWAL> | undefined;
  refund: RowOf<typeof REFUND> | undefined;
  submittedAt: Date | undefined;
}

/** Undefined: there is no such thing, or it is another account's. `accountId` null is an operator. */
export async function readTimeline(
  sql: SqlRunner,
  subject: { type: TimelineSubject; id: number; accountId: number | null },
): Promise<TimelineFacts | undefined> {
  const { type, id, accountId } = subject;
  const [table = '', owner = ''] = OWNERS[type].split('.');
  const { rows } = await sql.query(
    `SELECT 1 FROM ${table} s WHERE s.id = $1 AND ($2::bigint IS NULL OR s.${owner} = $2)`,
    [id, accountId],
  );
  if (rows.length === 0) return undefined;
  const one = [id];
  return {
    tasks: await readRows(
      sql,
      TASK,
      `SELECT ${TASK.list} FROM tasks t WHERE ${type === 'balance_refund' ? OF_REFUND : OF_SUBJECT}
       ORDER BY t.id DESC LIMIT 20`,
      [id, type],
    ),
    reviews: await readRows(
      sql,
      REVIEW,
      `SELECT ${REVIEW.list} FROM reviews r WHERE r.subject_type = $2 AND r.subject_id = $1
       ORDER BY r.round DESC LIMIT 5`,
      [id, type],
    ),
    proofs:
      type !== 'site'
        ? []
        : await readRows(
            sql,
            PROOF,
            `SELECT ${PROOF.list} FROM site_verifications v WHERE v.site_id = $1
             ORDER BY v.round DESC LIMIT 5`,
            one,
          ),
    deposit:
      type !== 'deposit'
        ? undefined
        : await readRow(
            sql,
            DEPOSIT,
            `SELECT ${DEPOSIT.list} FROM deposits d WHERE d.id = $1`,
            one,
          ),
    withdrawal:
      type !== 'withdrawal'
        ? undefined
        : await readRow(
            sql,
            WITHDRAWAL,
            `SELECT ${WITHDRAWAL.list} FROM withdrawals w
             LEFT JOIN payouts p ON p.withdrawal_id = w.id WHERE w.id = $1`,
            one,
          ),
    refund:
      type !== 'balance_refund'
        ? undefined
        : await readRow(
            sql,
            REFUND,
            `SELECT ${REFUND.list} FROM balance_refunds b WHERE b.id = $1`,
            one,
          ),
    submittedAt:
      type !== 'kyc'
        ? undefined
        : (
            await readRow(
              sql,
              CREATED,
              `SELECT ${CREATED.list} FROM kyc_applications k WHERE k.id = $1`,
              one,
            )
          )?.createdAt,
  };
}
