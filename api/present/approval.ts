import type * as yup from 'yup';
import type { ApprovalHolder, ListedApproval } from '../../db/queries/approvals.ts';
import type { RelatedAccount } from '../../db/queries/related-accounts.ts';
import type { EvidenceFile } from '../../db/queries/receipt-evidence.ts';
import { APPROVAL_KINDS, isQueued } from '../../domain/approvals.ts';
import { APPROVAL_STATES } from '../../domain/lifecycle/approval.ts';
import { presentAmount } from '../../domain/money.ts';
import { isSettingKey, SETTINGS } from '../../domain/settings.ts';
import {
  flag,
  idOf,
  idOrNullOf,
  listOf,
  money,
  oneOf,
  record,
  time,
  timeOrNull,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { inReadingOrder } from './approval-facts.ts';
import { evidenceShape, presentEvidence } from './evidence.ts';

/** One line of what is approved: a figure, a destination, a reference, a value. */
const factShape = record({ name: words(), value: words() });

export const approvalShape = record(
  {
    id: idOf(),
    kind: oneOf(APPROVAL_KINDS),
    state: oneOf(APPROVAL_STATES),
    /** Of its subject: an id, or the key of a setting. */
    subject: words(),
    account_id: idOrNullOf(),
    amount: money(),
    /** What its maker says: a reference, a new value, who the new operator is. */
    asks: listOf(factShape),
    content_hash: words(),
    /** Whether the rows still say what was asked for: what has changed is not approved. */
    current: flag(),
    /** Within the limit of its maker and of the account: no second person was needed. */
    alone: flag(),
    /** Decided here; else by the task of its flow. */
    decided_here: flag(),
    maker_id: idOrNullOf(),
    maker: wordsOrNull(),
    /** Whoever asked has been suspended since. */
    maker_suspended: flag(),
    checker: wordsOrNull(),
    note: wordsOrNull(),
    created_at: time(),
    decided_at: timeOrNull(),
  },
  'Approval',
);

const holderShape = record({
  account_id: idOf(),
  kind: oneOf(['ADVERTISER', 'PUBLISHER']),
  username: words(),
  company_name: wordsOrNull(),
  status: words(),
  kyc_status: words(),
  /** As the identity was proved, or as it was last handed in. */
  legal_name: wordsOrNull(),
  since: time(),
  payouts: record({ count: whole(), amount: money(), returned: whole() }),
  deposits: record({ count: whole(), amount: money() }),
});

export const approvalPageShape = approvalShape
  .shape({
    /** All that the hash is of, destinations masked. */
    content: listOf(factShape),
    /** The files that `evidence_id` of the content and of what was asked names. */
    evidence: listOf(evidenceShape),
    holder: holderShape.nullable(),
    related: listOf(
      record({
        by: words(),
        account_id: idOf(),
        kind: oneOf(['ADVERTISER', 'PUBLISHER']),
        username: words(),
        company_name: wordsOrNull(),
      }),
    ),
    /** Of the same account, newest first. */
    history: listOf(approvalShape),
  })
  .meta({ name: 'ApprovalPage' });

export const presentApproval = (row: ListedApproval): yup.InferType<typeof approvalShape> => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  subject: row.subject,
  account_id: row.accountId,
  amount: presentAmount(row.amountNanos),
  asks: row.kind.startsWith('operator') ? personIn(row) : factsOf(row.ask),
  content_hash: row.contentHash,
  current: row.current,
  alone: row.alone,
  decided_here: isQueued(row.kind),
  maker_id: row.makerId,
  maker: row.maker,
  maker_suspended: row.makerSuspended,
  checker: row.checker,
  note: row.note,
  created_at: row.createdAt.toISOString(),
  decided_at: row.decidedAt?.toISOString() ?? null,
});

/** A number says nobody's name. */
const personIn = ({ content: { username, role }, ask }: ListedApproval): Fact[] =>
  factsOf({ username, role, ...ask });

export function presentApprovalPage(
  row: ListedApproval,
  {
    evidence,
    holder,
    related,
    history,
  }: {
    evidence: readonly EvidenceFile[];
    holder: ApprovalHolder | undefined;
    related: readonly RelatedAccount[];
    history: readonly ListedApproval[];
  },
): yup.InferType<typeof approvalPageShape> {
  return {
    ...presentApproval(row),
    content: contentOf(row),
    evidence: evidence.map(presentEvidence),
    holder: holder === undefined ? null : presentHolder(holder),
    related: related.map(({ by, id, kind, username, companyName }) => ({
      by,
      account_id: id,
      kind,
      username,
      company_name: companyName,
    })),
    history: history.map(presentApproval),
  };
}

const presentHolder = (holder: ApprovalHolder): yup.InferType<typeof holderShape> => ({
  account_id: holder.id,
  kind: holder.kind,
  username: holder.username,
  company_name: holder.companyName,
  status: holder.status,
  kyc_status: holder.kycStatus,
  legal_name: holder.legalName,
  since: holder.createdAt.toISOString(),
  payouts: {
    count: holder.paidCount,
    amount: presentAmount(holder.paidNanos),
    returned: holder.returnedCount,
  },
  deposits: { count: holder.depositedCount, amount: presentAmount(holder.depositedNanos) },
});

interface Fact {
  name: string;
  value: string;
}

/** The files that are part of what is approved. */
export const evidenceOf = ({ content }: ListedApproval): number[] => {
  const { ask, ...rows } = content;
  const named = [rows['evidence_id'], (ask as Record<string, unknown>)['evidence_id']];
  return named.map(Number).filter((id) => Number.isInteger(id) && id > 0);
};

/** Hashes of destinations say nothing to a reader; `account` is the masked one. */
const UNREAD = new Set(['destination', 'fingerprint', 'version']);
const NANOS = /_nanos$/;

/**
 * All that the hash is of: an operator by name, whose id is what is hashed; of a setting that nobody has set,
 * what it was by default.
 */
function contentOf({ kind, subject, content, recorder }: ListedApproval): Fact[] {
  const { ask, ...rows } = content;
  const was = kind === 'setting' && rows['was'] === null ? { was: defaultOf(subject) } : {};
  const by = recorder === null ? {} : { recorded_by: recorder };
  const asked = factsOf(ask as Record<string, unknown>);
  return inReadingOrder([...factsOf({ ...rows, ...was, ...by }), ...asked]);
}

const defaultOf = (key: string): unknown => (isSettingKey(key) ? SETTINGS[key].default : null);

const factsOf = (facts: Record<string, unknown>): Fact[] =>
  Object.entries(facts)
    .filter(([name, value]) => !UNREAD.has(name) && value !== null)
    .map(([name, value]) =>
      NANOS.test(name)
        ? { name: name.replace(NANOS, ''), value: String(presentAmount(BigInt(String(value)))) }
        : { name, value: typeof value === 'string' ? value : JSON.stringify(value) },
    );
