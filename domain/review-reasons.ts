import type { TaskKind } from './lifecycle/task.ts';
import type { Reason } from './reason.ts';
import { CONTENT_REASONS } from './reasons-of-content.ts';
import { MONEY_REASONS } from './reasons-of-money.ts';
import type { TASK_SUBJECTS } from './task-rules.ts';

export type ReasonCode = keyof typeof CONTENT_REASONS | keyof typeof MONEY_REASONS;

const REASONS: Readonly<Record<ReasonCode, Reason>> = { ...CONTENT_REASONS, ...MONEY_REASONS };

const ADVERTISING = [
  'MISLEADING',
  'PROHIBITED_CONTENT',
  'ADULT_CONTENT',
  'LICENCE_MISSING',
  'TRADEMARK',
  'OTHER',
] as const;
const LANDING = ['LANDING_PAGE_BROKEN', 'LANDING_PAGE_DIFFERS', 'MALWARE'] as const;
const DEPOSIT = ['WRONG_AMOUNT', 'WRONG_SENDER', 'SUSPECTED_FRAUD', 'OTHER'] as const;
const WITHDRAWAL = [
  'NAME_DIFFERS',
  'ACCOUNT_WRONG',
  'PAPERS_NEEDED',
  'INVALID_TRAFFIC',
  'SUSPECTED_FRAUD',
  'OTHER',
] as const;

/** The codes of each kind of task, the usual ones first. */
const CODES_OF: Readonly<Record<TaskKind, readonly ReasonCode[]>> = {
  campaign_review: [...LANDING, 'TARGETING_NOT_ALLOWED', ...ADVERTISING],
  adgroup_review: ['TARGETING_NOT_ALLOWED', ...ADVERTISING],
  ad_review: [...LANDING, 'LOW_QUALITY', ...ADVERTISING],
  creative_review: ['LOW_QUALITY', 'UNSAFE_CODE', 'MALWARE', ...ADVERTISING],
  site_review: [
    'NO_CONTENT',
    'NOT_REACHABLE',
    'COPIED_CONTENT',
    'ICP_MISSING',
    'NOT_THE_OWNER',
    'INVALID_TRAFFIC',
    'PROHIBITED_CONTENT',
    'ADULT_CONTENT',
    'MALWARE',
    'OTHER',
  ],
  zone_review: ['BAD_PLACEMENT', 'TOO_MANY_ADS', 'WRONG_FORMAT', 'OTHER'],
  kyc_review: [
    'UNREADABLE',
    'INCOMPLETE',
    'EXPIRED',
    'NAME_DIFFERS',
    'WRONG_DOCUMENT',
    'FORGED',
    'OTHER',
  ],
  deposit_review: DEPOSIT,
  deposit_second_approval: DEPOSIT,
  suspense: ['ORDER_CLOSED', ...DEPOSIT],
  withdrawal_review: WITHDRAWAL,
  withdrawal_second_approval: WITHDRAWAL,
  domain_transfer: ['NOT_THE_OWNER', 'OTHER'],
  removal_appeal: ['REMOVAL_CONFIRMED', 'INVALID_TRAFFIC', 'SUSPECTED_FRAUD', 'OTHER'],
  money_refused: ['OTHER'],
  review_refused: ['OTHER'],
  removal_appeal_second_approval: [
    'REMOVAL_CONFIRMED',
    'INVALID_TRAFFIC',
    'SUSPECTED_FRAUD',
    'OTHER',
  ],
  reversal_second_approval: ['WRONG_AMOUNT', 'OTHER'],
  deposit_refund: ['OTHER'],
  payout_unknown: ['RETURNED_BY_BANK', 'ACCOUNT_CLOSED', 'ACCOUNT_WRONG', 'NOT_SENT', 'OTHER'],
};

export interface CodedReason extends Reason {
  code: ReasonCode;
}

/** Undefined: a word of a bank or provider. */
export const reasonOf = (code: string): Reason | undefined =>
  (REASONS as Readonly<Record<string, Reason>>)[code];

export const reasonsOf = (kind: TaskKind): CodedReason[] =>
  CODES_OF[kind].map((code) => ({ code, ...REASONS[code] }));

/** Whoever asked reads why not, so a no says why; a second person's no is between operators. */
export const isReadByOwner = (kind: TaskKind): boolean =>
  kind.endsWith('_review') || kind === 'removal_appeal';

export const reasonCodesOf = (kind: TaskKind): readonly string[] => CODES_OF[kind];

type Subject = (typeof TASK_SUBJECTS)[number];

/** What an owner may be told about each thing of theirs. */
const KINDS_OF_REALM = {
  advertiser: {
    campaign: ['campaign_review'],
    adgroup: ['adgroup_review'],
    ad: ['ad_review'],
    creative: ['creative_review'],
    kyc: ['kyc_review'],
    deposit: ['suspense'],
  },
  publisher: {
    site: ['site_review', 'domain_transfer'],
    zone: ['zone_review'],
    kyc: ['kyc_review'],
    withdrawal: ['withdrawal_review', 'payout_unknown'],
    removal_appeal: ['removal_appeal'],
  },
} as const satisfies Record<string, Partial<Record<Subject, readonly TaskKind[]>>>;

/** Each code once per subject. */
export function reasonsForOwner(
  realm: keyof typeof KINDS_OF_REALM,
): (CodedReason & { subjectType: Subject })[] {
  const kindsOf: Readonly<Partial<Record<Subject, readonly TaskKind[]>>> = KINDS_OF_REALM[realm];
  return (Object.keys(kindsOf) as Subject[]).flatMap((subjectType) => {
    const coded = (kindsOf[subjectType] ?? []).flatMap(reasonsOf);
    const byCode = new Map(coded.map((reason) => [reason.code, { ...reason, subjectType }]));
    return [...byCode.values()];
  });
}
