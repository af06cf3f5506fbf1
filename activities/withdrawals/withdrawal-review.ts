import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { loadSettings } from '../../db/settings.ts';
import { flag, ref, text } from '../../db/schema/column.ts';
import { readRow, select } from '../../db/schema/selection.ts';
import { conflict } from '../../domain/errors.ts';
import { presentAmount } from '../../domain/money.ts';
import { withdrawalWorkflowId } from '../../workflows/contracts/withdrawal.ts';
import type { ActivityDeps } from '../deps.ts';
import { consent, propose, voidApprovals } from '../core/approvals.ts';
import { reportOperation } from '../core/operations.ts';
import type { LoadedDecision } from '../review/task-decisions.ts';
import { openTask } from '../review/tasks.ts';
import type { ReviewFinding } from '../../db/tables/json.ts';
import { isSameName } from '../../domain/same-name.ts';
import { openedHolder } from './withdrawal-destination.ts';
import { type LockedWithdrawal, moveWithdrawal, voidWithdrawal } from './withdrawal-moves.ts';

/** More requests than this within a day ask for a look. */
const REQUESTS_PER_DAY_MAX = 3;
const REVIEW_DUE_MS = 24 * 3_600_000;

/** Of the publisher `a`: $2 is the destination's fingerprint, $3 the time now. */
const RISK_FACTS = select({
  suspended: flag().of(`a.status <> 'ACTIVE'`),
  identified: flag().of(
    `(a.kyc_status = 'approved' AND NOT EXISTS (SELECT FROM kyc_applications k
      WHERE k.account_id = a.id AND k.status = 'APPROVED' AND k.expires_at <= $3))`,
  ),
  paidBefore: flag().of(
    `EXISTS (SELECT FROM withdrawals w WHERE w.publisher_id = a.id AND w.status = 'PAID')`,
  ),
  shared: flag().of(
    `(EXISTS (SELECT FROM withdrawals w WHERE w.destination_fingerprint = $2 AND w.publisher_id <> a.id)
      OR EXISTS (SELECT FROM bank_cards c WHERE c.fingerprint = $2 AND c.publisher_id <> a.id))`,
  ),
  /** As its identity was proved; null: it was not. */
  legalName: text().orNull().of(`(SELECT k.legal_name FROM kyc_applications k
    WHERE k.account_id = a.id AND k.status = 'APPROVED' ORDER BY k.id DESC LIMIT 1)`),
  isCompany: flag().of(`COALESCE((SELECT k.entity_type = 'BUSINESS' FROM kyc_applications k
    WHERE k.account_id = a.id AND k.status = 'APPROVED' ORDER BY k.id DESC LIMIT 1), false)`),
  emailChanged: flag().of(
    `EXISTS (SELECT FROM email_confirmations c WHERE c.person_type = 'ACCOUNT' AND c.person_id = a.id
      AND c.previous_email IS NOT NULL AND c.status = 'CONFIRMED' AND c.ended_at > $3::timestamptz - interval '7 days')`,
  ),
  recent: ref().of(
    `(SELECT count(*) FROM withdrawals w WHERE w.publisher_id = a.id
      AND w.created_at > $3::timestamptz - interval '24 hours')`,
  ),
});

/**
 * What the automatic checks see. `info` sends it to a person, `notice` also marks it
 * RISK_HOLD, and while there is a `blocker` it may not be approved.
 */
export async function findRisks(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
): Promise<ReviewFinding[]> {
  const facts = await readRow(
    runner(deps.db, tx),
    RISK_FACTS,
    `SELECT ${RISK_FACTS.list} FROM accounts a WHERE a.id = $1`,
    [withdrawal.publisherId, withdrawal.destinationFingerprint, deps.clock()],
  );
  if (facts === undefined) throw new Error(`publisher ${withdrawal.publisherId} vanished`);
  const findings: [boolean, ReviewFinding][] = [
    [facts.suspended, { code: 'ACCOUNT_SUSPENDED', severity: 'blocker' }],
    [!facts.identified, { code: 'KYC_NOT_APPROVED', severity: 'blocker' }],
    [
      withdrawal.channel === 'BANK' && deps.providers.payouts.origin === null,
      { code: 'NO_DEBTOR_ACCOUNT', severity: 'blocker' },
    ],
    [facts.shared, { code: 'ACCOUNT_OF_ANOTHER_PUBLISHER', severity: 'notice' }],
    // Without either name: it is read where a person decides.
    [
      isOfAnother(openedHolder(deps, withdrawal), facts),
      { code: 'ACCOUNT_NAME_DIFFERS', severity: 'notice' },
    ],
    [
      facts.recent > REQUESTS_PER_DAY_MAX,
      { code: 'MANY_REQUESTS', severity: 'notice', note: `${facts.recent} within a day` },
    ],
    [
      withdrawal.accountUsableFrom > withdrawal.createdAt,
      { code: 'NEW_ACCOUNT', severity: 'info' },
    ],
    // Letters about it go where they did not go before.
    [facts.emailChanged, { code: 'EMAIL_CHANGED', severity: 'info' }],
    [!facts.paidBefore, { code: 'FIRST_PAYOUT', severity: 'info' }],
  ];
  return findings.filter(([found]) => found).map(([, finding]) => finding);
}

/** Nothing is said where there is nothing to compare: an unproved identity is a finding of its own. */
const isOfAnother = (
  holder: string | null,
  { legalName, isCompany }: { legalName: string | null; isCompany: boolean },
): boolean =>
  holder !== null && legalName !== null && !isSameName(holder, legalName, { isCompany });

/** Marks a risk, approves where the setting lets a clean one pass, or asks a person. */
export async function routeReview(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
  round: number,
): Promise<'APPROVED' | 'HUMAN'> {
  const findings = await findRisks(deps, tx, withdrawal);
  await withdrawal.update(
    { reviewRound: round, findings, version: withdrawal.version + 1 },
    { transaction: tx },
  );
  const isRisky = findings.some(({ severity }) => severity !== 'info');
  if (isRisky && withdrawal.status === 'PENDING') {
    await moveWithdrawal(deps, tx, withdrawal, { action: 'flag_risk' });
  }
  const settings = await loadSettings(runner(deps.db, tx));
  if (
    settings['review.withdrawal'] === 'auto_when_clean' &&
    findings.length === 0 &&
    withdrawal.status === 'PENDING' &&
    (await passesAlone(deps, tx, withdrawal, null))
  ) {
    await approve(deps, tx, withdrawal);
    return 'APPROVED';
  }
  await askOperator(deps, tx, withdrawal, {
    kind: 'withdrawal_review',
    round,
    findings,
    makerId: null,
  });
  return 'HUMAN';
}

/** Decisions of `withdrawal_review` and `withdrawal_second_approval`. Raises state_conflict. */
export async function applyReview(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
  decision: LoadedDecision,
): Promise<void> {
  if (decision.decision === 'reject') {
    const { reasons } = decision;
    await voidWithdrawal(deps, tx, withdrawal, {
      action: 'reject',
      reasons,
      report: { status: 'failed', phase: 'rejected', error: { error: 'rejected', reasons } },
    });
    return;
  }
  const blocker = (await findRisks(deps, tx, withdrawal)).find(
    ({ severity }) => severity === 'blocker',
  );
  if (blocker !== undefined) throw conflict(`Cannot be approved: ${blocker.code}.`);
  const isFirst = decision.kind === 'withdrawal_review';
  if (isFirst) {
    const approvedBy = decision.operatorId;
    await withdrawal.update({ approvedBy }, { transaction: tx, silent: true });
  }
  if (isFirst && !(await passesAlone(deps, tx, withdrawal, decision.operatorId))) {
    await askOperator(deps, tx, withdrawal, {
      kind: 'withdrawal_second_approval',
      round: withdrawal.reviewRound,
      findings: withdrawal.findings,
      makerId: decision.operatorId,
    });
    return;
  }
  if (!isFirst) {
    const { approvedBy: makerId, id: subject } = withdrawal;
    const given = await consent(deps, tx, {
      kind: 'withdrawal',
      subject,
      makerId,
      deciderId: decision.operatorId,
    });
    if (given === 'SECOND') throw conflict('A second person must approve this.');
  }
  await approve(deps, tx, withdrawal);
}

/** Null is the platform, by its setting. What does not pass waits, approved by one, for another person. */
async function passesAlone(
  deps: ActivityDeps,
  tx: Transaction,
  { id: subject }: LockedWithdrawal,
  makerId: number | null,
): Promise<boolean> {
  const { state } = await propose(deps, tx, { kind: 'withdrawal', subject, makerId });
  if (state === 'APPROVED') return true;
  if (makerId === null) await voidApprovals(deps, tx, 'withdrawal', subject);
  return false;
}

/** Begins the cooling-off window; a new account's day may make it longer. */
async function approve(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
): Promise<void> {
  const settings = await loadSettings(runner(deps.db, tx));
  const cooled = deps.clock().getTime() + settings['payout.cooling_off_seconds'] * 1_000;
  const notBefore = new Date(Math.max(cooled, withdrawal.accountUsableFrom.getTime()));
  await moveWithdrawal(deps, tx, withdrawal, { action: 'approve', notBefore });
  await reportOperation(deps, tx, withdrawalWorkflowId(withdrawal.id), {
    status: 'running',
    phase: 'approved',
    progress: { not_before: notBefore.toISOString() },
  });
}

interface Question {
  kind: 'withdrawal_review' | 'withdrawal_second_approval';
  round: number;
  findings: ReviewFinding[];
  makerId: number | null;
}

async function askOperator(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
  question: Question,
): Promise<void> {
  const workflowId = withdrawalWorkflowId(withdrawal.id);
  await openTask(deps, tx, {
    kind: question.kind,
    subject: { type: 'withdrawal', id: withdrawal.id },
    accountId: withdrawal.publisherId,
    heading: {
      form: 'WITHDRAWAL',
      amount: presentAmount(withdrawal.amountNanos),
      method: withdrawal.channel,
      account: withdrawal.accountMasked,
    },
    findings: question.findings,
    decisions: ['approve', 'reject'],
    makerId: question.makerId,
    workflowId,
    dedupeKey: `${workflowId}:${question.kind}:${question.round}`,
    dueAt: new Date(deps.clock().getTime() + REVIEW_DUE_MS),
  });
  await reportOperation(deps, tx, workflowId, { status: 'waiting_human', phase: 'review' });
}
