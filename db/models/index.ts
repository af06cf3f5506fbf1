import type { Sequelize } from 'sequelize';
import { bindAccount } from './account.ts';
import { bindAd } from './ad.ts';
import { bindAdFormat } from './ad-format.ts';
import { bindAdGroup } from './ad-group.ts';
import { bindApprovedHost } from './approved-host.ts';
import { bindAuditEntry } from './audit-entry.ts';
import { bindBankCard } from './bank-card.ts';
import { bindCampaign } from './campaign.ts';
import { bindClick } from './click.ts';
import { bindConversion } from './conversion.ts';
import { bindCreative } from './creative.ts';
import { bindCreativeRevision } from './creative-revision.ts';
import { bindDeposit } from './deposit.ts';
import { bindDepositReceipt } from './deposit-receipt.ts';
import { bindEffect } from './effect.ts';
import { bindIdempotencyKey } from './idempotency-key.ts';
import { bindLedgerAccount } from './ledger-account.ts';
import { bindLedgerBatch } from './ledger-batch.ts';
import { bindLedgerTransfer } from './ledger-transfer.ts';
import { bindMedia } from './media.ts';
import { bindOperation } from './operation.ts';
import { bindOperator } from './operator.ts';
import { bindOutboxMessage } from './outbox-message.ts';
import { bindPublisherShare } from './publisher-share.ts';
import { bindReview } from './review.ts';
import { bindRevokedToken } from './revoked-token.ts';
import { bindSetting } from './setting.ts';
import { bindSite } from './site.ts';
import { bindSiteVerification } from './site-verification.ts';
import { bindTask } from './task.ts';
import { bindTaskDecision } from './task-decision.ts';
import { bindTracker } from './tracker.ts';
import { bindWithdrawal } from './withdrawal.ts';
import { bindZone } from './zone.ts';

/** Every table that code reads or writes by model; events and rollups are SQL only. */
export function bindModels(sequelize: Sequelize) {
  return {
    Account: bindAccount(sequelize),
    Ad: bindAd(sequelize),
    AdFormat: bindAdFormat(sequelize),
    AdGroup: bindAdGroup(sequelize),
    ApprovedHost: bindApprovedHost(sequelize),
    AuditEntry: bindAuditEntry(sequelize),
    BankCard: bindBankCard(sequelize),
    Campaign: bindCampaign(sequelize),
    Click: bindClick(sequelize),
    Conversion: bindConversion(sequelize),
    Creative: bindCreative(sequelize),
    CreativeRevision: bindCreativeRevision(sequelize),
    Deposit: bindDeposit(sequelize),
    DepositReceipt: bindDepositReceipt(sequelize),
    Effect: bindEffect(sequelize),
    IdempotencyKey: bindIdempotencyKey(sequelize),
    LedgerAccount: bindLedgerAccount(sequelize),
    LedgerBatch: bindLedgerBatch(sequelize),
    LedgerTransfer: bindLedgerTransfer(sequelize),
    Media: bindMedia(sequelize),
    Operation: bindOperation(sequelize),
    Operator: bindOperator(sequelize),
    OutboxMessage: bindOutboxMessage(sequelize),
    PublisherShare: bindPublisherShare(sequelize),
    Review: bindReview(sequelize),
    RevokedToken: bindRevokedToken(sequelize),
    Setting: bindSetting(sequelize),
    Site: bindSite(sequelize),
    SiteVerification: bindSiteVerification(sequelize),
    Task: bindTask(sequelize),
    TaskDecision: bindTaskDecision(sequelize),
    Tracker: bindTracker(sequelize),
    Withdrawal: bindWithdrawal(sequelize),
    Zone: bindZone(sequelize),
  };
}

export type Models = ReturnType<typeof bindModels>;
