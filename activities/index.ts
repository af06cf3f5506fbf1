import { createAccountActivities } from './accounts/accounts.ts';
import { createAdActivities } from './inventory/ads.ts';
import { createAdGroupActivities } from './inventory/ad-groups.ts';
import { createApprovalActivities } from './approvals/approvals.ts';
import { createAppealActivities } from './review/appeals.ts';
import { createRecallActivities } from './review/recalls.ts';
import { createSiteSuspensionActivities } from './review/site-suspension.ts';
import { createAiJobActivities } from './inventory/ai-jobs.ts';
import { createBalanceRefundActivities } from './deposits/balance-refunds.ts';
import { createBankStatementActivities } from './deposits/bank-statements.ts';
import { createBooksActivities } from './upkeep/books.ts';
import { createBankCardActivities } from './withdrawals/bank-cards.ts';
import { createCampaignActivities } from './inventory/campaigns.ts';
import { createClickExpiryActivities } from './tracking/click-expiry.ts';
import { createConversionActivities } from './tracking/conversions.ts';
import { createConversionDecisionActivities } from './tracking/conversion-decisions.ts';
import { createCreativeActivities } from './inventory/creatives.ts';
import { createDepositActivities } from './deposits/deposits.ts';
import { createHeldConversionActivities } from './tracking/held-conversions.ts';
import { createDepositPaymentActivities } from './deposits/deposit-payments.ts';
import { createChainWatchActivities } from './deposits/chain-watch.ts';
import { createNoticeActivities } from './deposits/provider-notices.ts';
import { createDocumentActivities } from './documents/documents.ts';
import { createDepositRefundActivities } from './deposits/deposit-refunds.ts';
import { createDepositFlowActivities } from './deposits/deposit-flow.ts';
import type { ActivityDeps } from './deps.ts';
import { createExportActivities } from './reports/exports.ts';
import { createIdempotencyActivities } from './core/idempotency.ts';
import { createKycActivities } from './accounts/kyc.ts';
import { createIdentityActivities } from './accounts/identities.ts';
import { createKycDocumentActivities } from './accounts/kyc-documents.ts';
import { createLookActivities } from './review/looks.ts';
import { createDecodingActivities } from './flows/decodings.ts';
import { createDisownActivities } from './accounts/disown.ts';
import { createEmailActivities } from './accounts/email-confirmations.ts';
import { createFactorActivities } from './accounts/factors.ts';
import { createFactorProofActivities } from './accounts/factor-proofs.ts';
import { createOperatorAccessActivities } from './accounts/operator-access.ts';
import { createOperatorNoticeActivities } from './accounts/operator-notices.ts';
import { createOperatorInvitationActivities } from './accounts/operator-invitations.ts';
import { createOperatorActivities } from './accounts/operators.ts';
import { createMailActivities } from './accounts/mails.ts';
import { createMemberShutoutActivities } from './accounts/member-shutout.ts';
import { createMemberActivities } from './accounts/members.ts';
import { createMaturityActivities } from './tracking/maturity.ts';
import { createMediaActivities } from './inventory/media.ts';
import { createInventoryBulkActivities } from './inventory/inventory-bulk.ts';
import { createInventoryActivities } from './inventory/inventory-lifecycle.ts';
import { createPasswordResetActivities } from './accounts/password-resets.ts';
import { createPasswords, type Passwords } from './accounts/passwords.ts';
import { createMoneyTermActivities } from './core/money-terms.ts';
import { createNotificationActivities } from './accounts/notifications.ts';
import { createProfileActivities } from './accounts/profiles.ts';
import { createPayoutActivities } from './withdrawals/payouts.ts';
import { createPostbackActivities } from './tracking/postbacks.ts';
import { createReceiptEvidenceActivities } from './deposits/receipt-evidence.ts';
import { createReceiptTakeBackActivities } from './deposits/receipt-take-back.ts';
import { createReportRunActivities } from './reports/report-runs.ts';
import { createReportScheduleActivities } from './reports/report-schedules.ts';
import { createReviewActivities } from './review/reviews.ts';
import { createSavedViewActivities } from './accounts/saved-views.ts';
import { createSessionActivities } from './accounts/sessions.ts';
import { createAppealRestoreActivities } from './reversals/appeal-restores.ts';
import { createReversalActivities } from './reversals/reversals.ts';
import { createRewardActivities } from './tracking/rewards.ts';
import { createSettingActivities } from './core/settings.ts';
import { createSettlementActivities } from './tracking/settlement.ts';
import { createRefusalActivities } from './flows/refusals.ts';
import { createRemovalAppealActivities } from './publisher/removal-appeals.ts';
import { createSiteActivities } from './publisher/sites.ts';
import { createSiteRecheckActivities } from './publisher/site-recheck.ts';
import { createSiteVerificationActivities } from './publisher/site-verification.ts';
import { createDomainTransferActivities } from './publisher/domain-transfers.ts';
import { createSuspenseActivities } from './deposits/deposit-suspense.ts';
import { createTaskActivities } from './review/task-moves.ts';
import { createTaskFilmActivities } from './review/task-film.ts';
import { createTaskNoteActivities } from './review/task-notes.ts';
import { createTaskReminderActivities } from './review/task-reminders.ts';
import { createTaskLeaseActivities } from './review/task-leases.ts';
import { createTrackerActivities } from './inventory/trackers.ts';
import { createTrackerTestActivities } from './tracking/tracker-tests.ts';
import { createUpkeepActivities } from './upkeep/upkeep.ts';
import { createWithdrawalDestinationActivities } from './withdrawals/withdrawal-destination.ts';
import { createWithdrawalActivities } from './withdrawals/withdrawals.ts';
import { createWithdrawalFlowActivities } from './withdrawals/withdrawal-flow.ts';
import { createWebhookActivities } from './accounts/webhooks.ts';
import { createWebhookDeliveryActivities } from './accounts/webhook-deliveries.ts';
import { createWebhookSendingActivities } from './accounts/webhook-sending.ts';
import { createZoneBulkActivities } from './publisher/zone-bulk.ts';
import { createZoneActivities } from './publisher/zones.ts';

/** Money of advertisers. */
const createMoneyInActivities = (deps: ActivityDeps) => ({
  ...createDepositActivities(deps),
  ...createDepositPaymentActivities(deps),
  ...createNoticeActivities(deps),
  ...createChainWatchActivities(deps),
  ...createBalanceRefundActivities(deps),
  ...createBankStatementActivities(deps),
  ...createReceiptEvidenceActivities(deps),
  ...createDepositFlowActivities(deps),
  ...createDepositRefundActivities(deps),
  ...createReceiptTakeBackActivities(deps),
  ...createSuspenseActivities(deps),
});

/** What people decide, and the tasks that ask them. */
const createDecisionActivities = (deps: ActivityDeps) => ({
  ...createReviewActivities(deps),
  ...createAppealActivities(deps),
  ...createRecallActivities(deps),
  ...createSiteSuspensionActivities(deps),
  ...createTaskActivities(deps),
  ...createTaskFilmActivities(deps),
  ...createTaskLeaseActivities(deps),
  ...createTaskNoteActivities(deps),
  ...createTaskReminderActivities(deps),
});

/** What accounts are handed as files. */
const createFileActivities = (deps: ActivityDeps) => ({
  ...createExportActivities(deps),
  ...createReportScheduleActivities(deps),
  ...createReportRunActivities(deps),
  ...createDocumentActivities(deps),
});

/** Who works here: made, put out, let in again, told. */
const createStaffActivities = (deps: ActivityDeps, passwords: Passwords) => ({
  ...createOperatorActivities(deps, passwords),
  ...createOperatorInvitationActivities(deps, passwords),
  ...createOperatorAccessActivities(deps),
  ...createOperatorNoticeActivities(deps),
});

/** Every write of the platform, by noun. The worker registers them, the API calls them in-process. */
export function createActivities(deps: ActivityDeps) {
  const passwords = createPasswords();
  return {
    ...createAccountActivities(deps, passwords),
    ...createProfileActivities(deps),
    ...createMemberActivities(deps, passwords),
    ...createMemberShutoutActivities(deps),
    ...createPasswordResetActivities(deps, passwords),
    ...createSessionActivities(deps),
    ...createEmailActivities(deps, passwords),
    ...createDisownActivities(deps),
    ...createDecodingActivities(deps),
    ...createFactorActivities(deps),
    ...createFactorProofActivities(deps),
    ...createStaffActivities(deps, passwords),
    ...createSavedViewActivities(deps),
    ...createLookActivities(deps),
    ...createMailActivities(deps),
    ...createKycActivities(deps),
    ...createIdentityActivities(deps),
    ...createKycDocumentActivities(deps),
    ...createAdActivities(deps),
    ...createAdGroupActivities(deps),
    ...createAiJobActivities(deps),
    ...createApprovalActivities(deps),
    ...createDecisionActivities(deps),
    ...createBankCardActivities(deps),
    ...createBooksActivities(deps),
    ...createCampaignActivities(deps),
    ...createClickExpiryActivities(deps),
    ...createConversionActivities(deps),
    ...createConversionDecisionActivities(deps),
    ...createHeldConversionActivities(deps),
    ...createCreativeActivities(deps),
    ...createMoneyInActivities(deps),
    ...createDomainTransferActivities(deps),
    ...createFileActivities(deps),
    ...createIdempotencyActivities(deps),
    ...createMaturityActivities(deps),
    ...createMediaActivities(deps),
    ...createInventoryActivities(deps),
    ...createInventoryBulkActivities(deps),
    ...createNotificationActivities(deps),
    ...createPayoutActivities(deps),
    ...createPostbackActivities(deps),
    ...createAppealRestoreActivities(deps),
    ...createMoneyTermActivities(deps),
    ...createReversalActivities(deps),
    ...createRewardActivities(deps),
    ...createSettingActivities(deps),
    ...createSettlementActivities(deps),
    ...createRefusalActivities(deps),
    ...createRemovalAppealActivities(deps),
    ...createSiteActivities(deps),
    ...createSiteRecheckActivities(deps),
    ...createSiteVerificationActivities(deps),
    ...createTrackerActivities(deps),
    ...createTrackerTestActivities(deps),
    ...createUpkeepActivities(deps),
    ...createWebhookActivities(deps),
    ...createWebhookDeliveryActivities(deps),
    ...createWebhookSendingActivities(deps),
    ...createWithdrawalActivities(deps),
    ...createWithdrawalDestinationActivities(deps),
    ...createWithdrawalFlowActivities(deps),
    ...createZoneActivities(deps),
    ...createZoneBulkActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
