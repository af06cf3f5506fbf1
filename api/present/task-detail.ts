import type * as yup from 'yup';
import type { ShownDestination } from '../../activities/withdrawals/withdrawal-destination.ts';
import type { KycRound } from '../../db/queries/kyc.ts';
import type { Billed } from '../../db/queries/removal-appeals.ts';
import type { ReviewRound } from '../../db/queries/reviews.ts';
import type { UnbilledEvent } from '../../db/queries/unbilled-events.ts';
import type { ShownWithdrawal } from '../../db/queries/withdrawals.ts';
import { KYC_ENTITY_TYPES } from '../../domain/lifecycle/kyc.ts';
import { presentAmount } from '../../domain/money.ts';
import {
  flag,
  idOrNullOf,
  listOf,
  money,
  oneOf,
  oneOfOrNull,
  record,
  time,
  timeOrNull,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { adGroupShape } from './ad-group.ts';
import { adRevisionShape, adShape } from './ad.ts';
import { campaignShape } from './campaign.ts';
import { creativeRevisionShape, creativeShape } from './creative.ts';
import { isSameName } from '../../domain/same-name.ts';
import { wayBackShape } from './way-back.ts';
import { advertiserBalanceShape, depositShape, receiptFields } from './deposit.ts';
import { domainTransferShape } from './domain-transfer.ts';
import { kycRoundShape } from './kyc.ts';
import { mediaShape } from './media.ts';
import { publisherBalanceShape } from './publisher-money.ts';
import { reversalPageShape } from './reversal.ts';
import { changeShape } from './revision-changes.ts';
import { removalAppealFields } from './removal-appeal.ts';
import { siteShape } from './site.ts';
import { operatorWithdrawalShape, withdrawalShape } from './withdrawal.ts';
import { zoneShape } from './zone.ts';

const reviewRoundShape = record({
  round: whole(),
  status: words(),
  decided_by: oneOfOrNull(['AUTO', 'OPERATOR']),
  reasons: listOf(record({ code: words(), field: words().optional(), note: words().optional() })),
  /** The owner's word, where the round is an appeal. */
  appeal: wordsOrNull(),
  /** The operator's word who took it back into review. */
  recall: wordsOrNull(),
  created_at: time(),
  decided_at: timeOrNull(),
});

const destinationShape = record(
  {
    /** Whose account it is; wallets and e-mail addresses tell none. */
    holder: wordsOrNull(),
    /** Whether that is whose identity is verified; null: one of both is not known. */
    holder_is_identity: flag().nullable(),
    account_type: oneOfOrNull(['PERSONAL', 'BUSINESS']),
    country: wordsOrNull(),
    currency: wordsOrNull(),
    bank_name: wordsOrNull(),
    network: wordsOrNull(),
    /** Masked. */
    account: wordsOrNull(),
    bank_card_id: idOrNullOf(),
    /** No money leaves to it before. */
    usable_from: time(),
    /** Of the publisher's approved identity, to hold the holder against. */
    verified_identity: record({
      legal_name: wordsOrNull(),
      entity_type: oneOf(KYC_ENTITY_TYPES),
      country: words(),
    }).nullable(),
  },
  'PayoutDestination',
);

/** A publisher's appeal, what is removed of it now, and events to look at. */
const removalDetailShape = record(
  {
    ...removalAppealFields,
    /** Not removed, of the same zone and day, and what they earned. */
    billed: record({
      impressions: whole().min(0),
      clicks: whole().min(0),
      conversions: whole().min(0),
      earned: money(),
    }),
    /** The latest of those removed; each opens a trace. */
    samples: listOf(
      record({
        received_at: time(),
        kind: words(),
        reasons: listOf(words()),
        request_id: wordsOrNull(),
        click_id: wordsOrNull(),
        advertiser_id: idOrNullOf(),
      }),
    ),
  },
  'RemovalAppealTask',
);

/** The record as its owner sees it stands under its own name; what a task is not about is null or empty. */
export const taskDetailShape = record(
  {
    campaign: campaignShape.nullable(),
    adgroup: adGroupShape.nullable(),
    ad: adShape.nullable(),
    creative: creativeShape.nullable(),
    site: siteShape.nullable(),
    zone: zoneShape.nullable(),
    /** Of an ad: the revision to decide on, and what it is compared with. */
    ad_revision: adRevisionShape.nullable(),
    ad_revision_before: adRevisionShape.nullable(),
    ad_changes: listOf(changeShape),
    /** Of a creative, and of the creative that an ad shows: the revision to decide on. */
    revision: creativeRevisionShape.nullable(),
    /** The one that serves. */
    approved_revision: creativeRevisionShape.nullable(),
    /** What the proposed one is compared with: the serving one, else its predecessor. */
    revision_before: creativeRevisionShape.nullable(),
    changes: listOf(changeShape),
    /** Files of these revisions. */
    media: listOf(mediaShape),
    /** Rounds of review, newest first. */
    history: listOf(reviewRoundShape),
    kyc: kycRoundShape.nullable(),
    deposit: depositShape.nullable(),
    receipts: listOf(
      record({ ...receiptFields, evidence: mediaShape.nullable() }, 'EvidencedReceipt'),
    ),
    /** The receipt that the question is about. */
    receipt_id: idOrNullOf(),
    /** Of money that goes back; for whoever may decide. */
    way_back: wayBackShape.nullable(),
    advertiser_balance: advertiserBalanceShape.nullable(),
    withdrawal: operatorWithdrawalShape.nullable(),
    /** For whoever may decide. */
    destination: destinationShape.nullable(),
    balance: publisherBalanceShape.nullable(),
    earlier_withdrawals: listOf(withdrawalShape),
    /** Whose a domain is that two accounts claim. */
    transfer: domainTransferShape.nullable(),
    removal_appeal: removalDetailShape.nullable(),
    /** What is taken back of whom. */
    reversal: reversalPageShape.nullable(),
  },
  'TaskDetail',
);
export type TaskDetail = yup.InferType<typeof taskDetailShape>;

export const NO_DETAIL: TaskDetail = {
  campaign: null,
  adgroup: null,
  ad: null,
  creative: null,
  site: null,
  zone: null,
  ad_revision: null,
  ad_revision_before: null,
  ad_changes: [],
  revision: null,
  approved_revision: null,
  revision_before: null,
  changes: [],
  media: [],
  history: [],
  kyc: null,
  deposit: null,
  receipts: [],
  receipt_id: null,
  way_back: null,
  advertiser_balance: null,
  withdrawal: null,
  destination: null,
  balance: null,
  earlier_withdrawals: [],
  transfer: null,
  removal_appeal: null,
  reversal: null,
};

type RemovalDetail = NonNullable<TaskDetail['removal_appeal']>;

export const presentBilled = ({ earnedNanos, ...counts }: Billed): RemovalDetail['billed'] => ({
  ...counts,
  earned: presentAmount(earnedNanos),
});

export const presentSample = (event: UnbilledEvent): RemovalDetail['samples'][number] => ({
  received_at: event.receivedAt.toISOString(),
  kind: event.kind,
  reasons: event.reasons,
  request_id: event.requestId,
  click_id: event.clickId,
  advertiser_id: event.advertiserId,
});

export const presentReviewRound = (round: ReviewRound): TaskDetail['history'][number] => ({
  round: round.round,
  status: round.status,
  decided_by: round.decidedBy,
  reasons: round.reasons ?? [],
  appeal: round.appeal,
  recall: round.recallNote,
  created_at: round.createdAt.toISOString(),
  decided_at: round.decidedAt?.toISOString() ?? null,
});

export const presentDestination = (
  withdrawal: ShownWithdrawal,
  shown: ShownDestination | null,
  identity: KycRound | undefined,
): TaskDetail['destination'] => ({
  holder: shown?.holder ?? null,
  account_type: shown?.accountType ?? null,
  country: shown?.country ?? null,
  currency: shown?.currency ?? null,
  bank_name: shown?.bankName ?? null,
  network: shown?.network ?? null,
  account: withdrawal.accountMasked,
  bank_card_id: withdrawal.bankCardId,
  usable_from: withdrawal.accountUsableFrom.toISOString(),
  holder_is_identity:
    shown === null || shown.holder === null || identity === undefined || identity.legalName === null
      ? null
      : isSameName(shown.holder, identity.legalName, {
          isCompany: identity.entityType === 'BUSINESS',
        }),
  verified_identity:
    identity === undefined
      ? null
      : {
          legal_name: identity.legalName,
          entity_type: identity.entityType,
          country: identity.country,
        },
});
