import { accounts } from './account.ts';
import { adFormats } from './ad-format.ts';
import { adGroups } from './ad-group.ts';
import { adRevisions } from './ad-revision.ts';
import { ads } from './ad.ts';
import { aiJobs } from './ai-job.ts';
import { aiResults } from './ai-result.ts';
import { approvals } from './approval.ts';
import { approvedHosts } from './approved-host.ts';
import { auditLog } from './audit-entry.ts';
import { balanceRefunds } from './balance-refund.ts';
import { bankCards } from './bank-card.ts';
import { bankStatementBalances, bankStatementLines, bankStatements } from './bank-statement.ts';
import { budgetDays } from './budget-day.ts';
import { campaignTotals } from './campaign-total.ts';
import { campaigns } from './campaign.ts';
import { chainCursors } from './chain-cursor.ts';
import { chainPayments, chainWallets } from './chain-payment.ts';
import { clicks } from './click.ts';
import { conversions } from './conversion.ts';
import { creativeRevisions } from './creative-revision.ts';
import { creatives } from './creative.ts';
import { depositPayments } from './deposit-payment.ts';
import { domainTransfers } from './domain-transfer.ts';
import { depositReceipts } from './deposit-receipt.ts';
import { depositRefunds } from './deposit-refund.ts';
import { deposits } from './deposit.ts';
import { documentFiles, documentMonths, documentNumbers, documents } from './document.ts';
import { earningsMatured } from './matured-earnings.ts';
import { effects } from './effect.ts';
import { emailConfirmations } from './email-confirmation.ts';
import { eventCorrections } from './event-correction.ts';
import { eventInbox } from './event-inbox.ts';
import { eventMarks } from './event-mark.ts';
import { events } from './event.ts';
import { flowFindings } from './flow-finding.ts';
import { factorChallenges } from './factor-challenge.ts';
import { factorRecoveries } from './factor-recovery.ts';
import { factors } from './factor.ts';
import { idempotencyKeys } from './idempotency-key.ts';
import { knownDevices } from './known-device.ts';
import { kycApplications } from './kyc-application.ts';
import { kycDocuments } from './kyc-document.ts';
import { ledgerAccounts } from './ledger-account.ts';
import { ledgerBatches } from './ledger-batch.ts';
import { ledgerTransfers } from './ledger-transfer.ts';
import { mails } from './mail.ts';
import { maturityDays } from './maturity-day.ts';
import { media } from './media.ts';
import { moneyTerms } from './money-term.ts';
import { bookChecks } from './book-check.ts';
import { notifications } from './notification.ts';
import { notificationSettings } from './notification-setting.ts';
import { operatorNotices } from './operator-notice.ts';
import { operatorNoticeReads } from './operator-notice-read.ts';
import { members } from './member.ts';
import { operations } from './operation.ts';
import { operatorInvitations } from './operator-invitation.ts';
import { operators } from './operator.ts';
import { outbox } from './outbox-message.ts';
import { pages } from './page.ts';
import { passwordResets } from './password-reset.ts';
import { payoutFiles } from './payout-file.ts';
import { payoutFileTakeBacks } from './payout-file-take-back.ts';
import { payouts } from './payout.ts';
import { payoutRemarks, payoutStatusFiles } from './payout-remark.ts';
import { postbacks } from './postback.ts';
import { preferences } from './preference.ts';
import { providerNotices } from './provider-notice.ts';

import { receiptEvidence } from './receipt-evidence.ts';
import { reconcilerRuns } from './reconciler-run.ts';
import { recoveryCodes } from './recovery-code.ts';
import { removalAppeals } from './removal-appeal.ts';
import { reportExportParts } from './report-export-part.ts';
import { reportExports } from './report-export.ts';
import { reportRuns } from './report-run.ts';
import { reportSchedules } from './report-schedule.ts';
import { reversalItems, reversals } from './reversal.ts';
import { reviews } from './review.ts';
import { revokedTokens } from './revoked-token.ts';
import { rewards } from './reward.ts';
import { rollupAdHours } from './rollup-ad-hour.ts';
import { rollupAdTraits } from './rollup-ad-trait.ts';
import { rollupZoneHours } from './rollup-zone-hour.ts';
import { rollupZoneTraits } from './rollup-zone-trait.ts';
import { savedViews } from './saved-view.ts';
import { securityAlerts } from './security-alert.ts';
import { sessions } from './session.ts';
import { settings } from './setting.ts';
import { settlementCursors } from './settlement-cursor.ts';
import { siteVerifications } from './site-verification.ts';
import { sites } from './site.ts';
import { taskDecisions } from './task-decision.ts';
import { taskNotes } from './task-note.ts';
import { tasks } from './task.ts';
import { trackers } from './tracker.ts';
import { trackerTests } from './tracker-test.ts';
import { viewerRates } from './viewer-rate.ts';
import { webhookDeliveries } from './webhook-delivery.ts';
import { webhookEndpoints } from './webhook-endpoint.ts';
import { withdrawals } from './withdrawal.ts';
import { zones } from './zone.ts';

/** Every table of the database; test/db/tables.test.ts holds each against information_schema. */
export const TABLES = {
  accounts,
  adFormats,
  adGroups,
  ads,
  aiJobs,
  aiResults,
  approvals,
  approvedHosts,
  auditLog,
  balanceRefunds,
  bankCards,
  bankStatementBalances,
  bankStatementLines,
  bankStatements,
  budgetDays,
  campaignTotals,
  campaigns,
  chainCursors,
  chainPayments,
  chainWallets,
  clicks,
  conversions,
  adRevisions,
  creativeRevisions,
  creatives,
  depositPayments,
  depositReceipts,
  depositRefunds,
  deposits,
  documentFiles,
  documentMonths,
  documentNumbers,
  documents,
  domainTransfers,
  earningsMatured,
  effects,
  emailConfirmations,
  eventCorrections,
  eventInbox,
  eventMarks,
  events,
  flowFindings,
  factorChallenges,
  factorRecoveries,
  factors,
  idempotencyKeys,
  knownDevices,
  kycApplications,
  kycDocuments,
  ledgerAccounts,
  ledgerBatches,
  ledgerTransfers,
  mails,
  maturityDays,
  media,
  moneyTerms,
  bookChecks,
  notificationSettings,
  notifications,
  operatorNotices,
  operatorNoticeReads,
  members,
  operations,
  operatorInvitations,
  operators,
  outbox,
  pages,
  passwordResets,
  payoutFiles,
  payoutFileTakeBacks,
  payoutRemarks,
  payoutStatusFiles,
  payouts,
  postbacks,
  preferences,
  providerNotices,

  receiptEvidence,
  reconcilerRuns,
  recoveryCodes,
  removalAppeals,
  reportExportParts,
  reportExports,
  reportRuns,
  reportSchedules,
  reversalItems,
  reversals,
  reviews,
  revokedTokens,
  rewards,
  rollupAdHours,
  rollupAdTraits,
  rollupZoneHours,
  rollupZoneTraits,
  savedViews,
  securityAlerts,
  sessions,
  settings,
  settlementCursors,
  siteVerifications,
  sites,
  taskDecisions,
  taskNotes,
  tasks,
  trackers,
  trackerTests,
  viewerRates,
  webhookDeliveries,
  webhookEndpoints,
  withdrawals,
  zones,
};
