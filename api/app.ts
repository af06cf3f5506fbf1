import express, { type Express, type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { TrackPayload } from '../domain/tracking/facts.ts';
import type { AdDeps } from './ad/surface.ts';
import { createAdSurface } from './ad/surface.ts';
import { adminAccountRoutes } from './admin/accounts.ts';
import { accountHistoryRoutes } from './admin/account-history.ts';
import { accountMemberRoutes } from './admin/account-members.ts';
import { approvalRoutes } from './admin/approvals.ts';
import { auditLogRoutes } from './admin/audit-log.ts';
import { adminAuthRoutes } from './admin/auth.ts';
import { bankStatementRoutes } from './admin/bank-statements.ts';
import { bookRoutes } from './admin/books.ts';
import { adminDepositRoutes } from './admin/deposits.ts';
import { adminDocumentRoutes } from './admin/documents.ts';
import { eventRoutes } from './admin/events.ts';
import { adminKycRoutes } from './admin/kyc.ts';
import { factorRecoveryRoutes } from './admin/factor-recoveries.ts';
import { platformHealthRoutes } from './admin/health.ts';
import { operatorNoticeRoutes } from './admin/notifications.ts';
import { accountInventoryRoutes, inventoryRoutes } from './admin/inventory.ts';
import { ledgerRoutes } from './admin/ledger.ts';
import { operatorInvitationRoutes } from './admin/operator-invitations.ts';
import { operatorRoutes } from './admin/operators.ts';
import { payoutStatusRoutes } from './admin/payout-status.ts';
import { receiptEvidenceRoutes } from './admin/receipt-evidence.ts';
import { receiptRoutes } from './admin/receipts.ts';
import { reviewReasonRoutes } from './admin/review-reasons.ts';
import { moneyTermRoutes } from './admin/money-terms.ts';
import { balanceRefundRoutes, refundableRoute } from './admin/balance-refunds.ts';
import { reversalRoutes } from './admin/reversals.ts';
import { searchRoutes } from './admin/search.ts';
import { settingRoutes } from './admin/settings.ts';
import { taskRoutes } from './admin/tasks.ts';
import { heldConversionsRoute } from './admin/held-conversions.ts';
import { platformReportRoute } from './reports/platform-report.ts';
import { latestUnbilledRoute, unbilledRoute } from './reports/unbilled-events.ts';
import { adminWithdrawalRoutes } from './admin/withdrawals.ts';
import { adGroupRoutes } from './advertiser/ad-groups.ts';
import { advertiserExportRoutes } from './advertiser/exports.ts';
import { adRoutes } from './advertiser/ads.ts';
import { advertiserAuthRoutes } from './advertiser/auth.ts';
import { inventoryBulkRoutes } from './advertiser/bulk.ts';
import { campaignRoutes } from './advertiser/campaigns.ts';
import { creativeRoutes } from './advertiser/creatives.ts';
import { conversionListRoutes } from './advertiser/conversions.ts';
import { depositRoutes } from './advertiser/deposits.ts';
import { generatorCancelRoutes } from './advertiser/ai.ts';
import { mediaRoutes } from './advertiser/media.ts';
import { postbackRoutes } from './advertiser/postbacks.ts';
import { deliveryDaysRoutes } from './advertiser/delivery-days.ts';
import { zoneReachRoutes } from './advertiser/zone-reach.ts';
import { advertiserStatisticsRoutes, inventoryStatsRoutes } from './advertiser/statistics.ts';
import { trackerTestRoutes } from './advertiser/tracker-tests.ts';
import { trackerRoutes } from './advertiser/trackers.ts';
import { consolePages } from './console-pages.ts';
import { AD_ROUTES } from './contracts/ad.ts';
import { describeOpen } from './contracts/open.ts';
import { CODEC_ROUTES } from './contracts/codec.ts';
import { codecRoutes } from './codec/decode.ts';
import { codecPassRoutes } from './codec/pass.ts';
import {
  DOCUMENT_KEY_ROUTES,
  HEALTH_ROUTES,
  PAYMENT_ROUTES,
  SDK_ROUTES,
  SELLER_ROUTES,
} from './contracts/platform.ts';
import { CONVERSION_ROUTES, TRACK_ROUTES } from './contracts/track.ts';
import { VAST_ROUTES, VIDEO_ROUTES } from './contracts/video.ts';
import type { ConversionDeps } from './conversion/answer.ts';
import { conversionRoutes } from './conversion/conversion.ts';
import type { ConsoleDeps, HealthReport } from './deps.ts';
import { docsPages } from './docs.ts';
import { documentKeyRoutes } from './document-keys.ts';
import { documentRoutes } from './accounts/documents.ts';
import { healthRoutes } from './health.ts';
import { jsonBody } from './http/body.ts';
import { errorHandler, unknownRoute } from './http/errors.ts';
import { historyRoutes } from './accounts/history.ts';
import { kycRoutes } from './accounts/kyc.ts';
import { ownReviewReasonRoutes } from './accounts/review-reasons.ts';
import { notificationRoutes } from './accounts/notifications.ts';
import { memberRoutes } from './accounts/members.ts';
import { preferenceRoutes } from './accounts/preferences.ts';
import { reportScheduleRoutes } from './accounts/report-schedules.ts';
import { savedViewRoutes } from './accounts/saved-views.ts';
import { webhookRoutes } from './accounts/webhooks.ts';
import { noticeRoutes } from './payments/notices.ts';
import { operationRoutes } from './operations/operations.ts';
import { timelineRoutes } from './operations/timelines.ts';
import { idempotency } from './http/idempotency.ts';
import { accountRateLimit } from './http/rate-limit.ts';
import { consoleCors } from './http/cors.ts';
import { consoleGzip } from './http/gzip.ts';
import { requestId } from './http/request-id.ts';
import { requestLog } from './http/request-log.ts';
import { safeHeaders, unstored } from './http/safe-headers.ts';
import { mediaFileRoutes } from './media-files.ts';
import { publisherAuthRoutes } from './publisher/auth.ts';
import { removalAppealRoutes } from './publisher/removal-appeals.ts';
import { siteRoutes } from './publisher/sites.ts';
import { siteTransferRoutes } from './publisher/site-transfers.ts';
import { publisherExportRoutes } from './publisher/exports.ts';
import { placementStatsRoutes, publisherStatisticsRoutes } from './publisher/statistics.ts';
import { withdrawalRoutes } from './publisher/withdrawals.ts';
import { zoneBulkRoutes } from './publisher/zone-bulk.ts';
import { zoneRoutes } from './publisher/zones.ts';
import { type RewardDeps, rewardRoutes } from './reward/reward.ts';
import { sellerRoutes } from './sellers.ts';
import { hotHandlers } from './shortcuts.ts';
import { createTrackSurface, type TrackDeps } from './track/surface.ts';

/** A surface that is undefined is not served by this process. */
export interface AppDeps {
  ad: AdDeps | undefined;
  track: TrackDeps | undefined;
  /** Of processes that track, and of those that have always taken them: the consoles'. */
  conversion: ConversionDeps | undefined;
  console: ConsoleDeps | undefined;
  openTrack: (trackId: string) => TrackPayload | null;
  checkSession: RewardDeps['checkSession'];
  servingClock: () => Date;
  /** Folder of the built browser code. */
  webDir: string;
  /** Counts console requests; absent where nothing is measured. */
  measure?: RequestHandler | undefined;
  /** Records each as a span; absent where nothing is traced. */
  trace?: RequestHandler | undefined;
  health: () => Promise<HealthReport>;
  log: Logger;
}

/** Hot surfaces first, with no parser, header policy or log before them. */
export function createApp(deps: AppDeps, hot = hotHandlers(deps)): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const tracking = [...TRACK_ROUTES, ...VIDEO_ROUTES];
  if (deps.track)
    app.use('/track', describeOpen(createTrackSurface(deps.track, hot.track), tracking));
  const serving = [...AD_ROUTES, ...VAST_ROUTES];
  if (deps.ad) app.use('/ad', describeOpen(createAdSurface(deps.ad, hot.ad), serving));
  app.use(safeHeaders);
  app.use('/health', describeOpen(healthRoutes(deps.health), HEALTH_ROUTES));
  if (deps.conversion) {
    app.use(
      '/track',
      describeOpen(conversionRoutes(deps.conversion, hot.conversion), CONVERSION_ROUTES),
    );
  }
  if (deps.console) mountConsole(app, deps.console, deps);
  // Also without a console: what Express itself would answer shows its stack.
  app.use(unknownRoute);
  app.use(errorHandler(deps.log));
  return app;
}

/** What listens at CDN_PORT: assets, and nothing that anybody is signed in to. */
export function createCdnApp(deps: ConsoleDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', deps.config.http.trustedProxies);
  app.use(requestId, requestLog(deps.log), safeHeaders);
  app.use('/media', mediaFileRoutes(deps));
  app.use(unknownRoute);
  app.use(errorHandler(deps.log));
  return app;
}

function mountConsole(app: Express, deps: ConsoleDeps, sealed: AppDeps): void {
  const { openTrack, webDir } = sealed;
  app.set('trust proxy', deps.config.http.trustedProxies);
  app.use(requestId, requestLog(deps.log));
  if (sealed.trace !== undefined) app.use(sealed.trace);
  if (sealed.measure !== undefined) app.use(sealed.measure);
  if (deps.config.http.cdnPort === undefined) app.use('/media', mediaFileRoutes(deps));
  app.use('/ad/reward', rewardRoutes(deps, sealed));
  app.use('/payments', describeOpen(noticeRoutes(deps), PAYMENT_ROUTES));
  app.use(consoleGzip());
  app.use(describeOpen(sellerRoutes(deps), SELLER_ROUTES));
  app.use(describeOpen(documentKeyRoutes(deps), DOCUMENT_KEY_ROUTES));
  app.use(describeOpen(consolePages(webDir, deps.config), SDK_ROUTES));
  app.use(docsPages(webDir));
  app.use('/codec', describeOpen(codecRoutes(deps), CODEC_ROUTES));
  app.use('/api', helmet(), unstored, consoleCors(deps.config.http.consoleOrigins), jsonBody());
  app.use('/api/advertiser', advertiserRealm(deps));
  app.use('/api/publisher', publisherRealm(deps));
  app.use('/api/admin', adminRealm(deps, openTrack));
}

function advertiserRealm(deps: ConsoleDeps): Router {
  const router = Router();
  router.use('/auth', advertiserAuthRoutes(deps));
  router.use(deps.auth.require('advertiser'), accountRateLimit(deps), idempotency(deps));
  router.use(inventoryStatsRoutes(deps));
  router.use(deliveryDaysRoutes(deps));
  router.use(zoneReachRoutes(deps));
  router.use(inventoryBulkRoutes(deps));
  router.use('/campaigns', campaignRoutes(deps));
  router.use('/adgroups', adGroupRoutes(deps));
  router.use('/ads', adRoutes(deps));
  router.use('/creatives', creativeRoutes(deps));
  router.use('/media', mediaRoutes(deps));
  router.use('/deposits', depositRoutes(deps));
  router.use('/conversions', conversionListRoutes(deps));
  router.use('/trackers', trackerRoutes(deps));
  router.use('/trackers', postbackRoutes(deps), trackerTestRoutes(deps));
  router.use('/statistics', advertiserExportRoutes(deps), advertiserStatisticsRoutes(deps));
  router.use('/operations', operationRoutes(deps, 'advertiser'), generatorCancelRoutes(deps));
  router.use('/timeline', timelineRoutes(deps, 'advertiser'));
  router.use('/kyc', kycRoutes(deps));
  router.use('/documents', documentRoutes(deps));
  router.use('/review-reasons', ownReviewReasonRoutes('advertiser'));
  router.use('/history', historyRoutes(deps));
  router.use(notificationRoutes(deps, 'ADVERTISER'));
  router.use('/members', memberRoutes(deps, 'advertiser'));
  router.use('/webhooks', webhookRoutes(deps, 'ADVERTISER'));
  router.use('/saved-views', savedViewRoutes(deps));
  router.use('/report-schedules', reportScheduleRoutes(deps, 'advertiser'));
  router.use('/preferences', preferenceRoutes(deps));
  return router;
}

function publisherRealm(deps: ConsoleDeps): Router {
  const router = Router();
  router.use('/auth', publisherAuthRoutes(deps));
  router.use(deps.auth.require('publisher'), accountRateLimit(deps), idempotency(deps));
  router.use(placementStatsRoutes(deps));
  router.use('/sites', siteRoutes(deps), siteTransferRoutes(deps));
  router.use('/zones', zoneBulkRoutes(deps), zoneRoutes(deps));
  router.use('/statistics', publisherExportRoutes(deps), publisherStatisticsRoutes(deps));
  router.use('/removal-appeals', removalAppealRoutes(deps));
  router.use('/withdrawals', withdrawalRoutes(deps));
  router.use('/operations', operationRoutes(deps, 'publisher'));
  router.use('/timeline', timelineRoutes(deps, 'publisher'));
  router.use('/kyc', kycRoutes(deps));
  router.use('/documents', documentRoutes(deps));
  router.use('/review-reasons', ownReviewReasonRoutes('publisher'));
  router.use('/history', historyRoutes(deps));
  router.use(notificationRoutes(deps, 'PUBLISHER'));
  router.use('/members', memberRoutes(deps, 'publisher'));
  router.use('/webhooks', webhookRoutes(deps, 'PUBLISHER'));
  router.use('/saved-views', savedViewRoutes(deps));
  router.use('/report-schedules', reportScheduleRoutes(deps, 'publisher'));
  router.use('/preferences', preferenceRoutes(deps));
  return router;
}

function adminRealm(deps: ConsoleDeps, openTrack: AppDeps['openTrack']): Router {
  const router = Router();
  router.use('/auth', adminAuthRoutes(deps));
  router.use(deps.auth.require('admin'), accountRateLimit(deps), idempotency(deps));
  router.use(adminAccountRoutes(deps), accountHistoryRoutes(deps), accountMemberRoutes(deps));
  router.use(adminDocumentRoutes(deps), accountInventoryRoutes(deps));
  router.use('/tasks', taskRoutes(deps));
  router.use('/review-reasons', reviewReasonRoutes());
  router.use('/operations', operationRoutes(deps, 'admin'));
  router.use('/timeline', timelineRoutes(deps, 'admin'));
  router.use('/inventory', inventoryRoutes(deps));
  router.use('/kyc', adminKycRoutes(deps));
  router.use('/factor-recoveries', factorRecoveryRoutes(deps));
  router.use('/deposits', adminDepositRoutes(deps));
  router.get('/held-conversions', heldConversionsRoute(deps));
  router.get('/statistics/report', platformReportRoute(deps));
  router.get('/unbilled-events', unbilledRoute(deps));
  router.get('/unbilled-events/latest', latestUnbilledRoute(deps));
  router.use('/bank-statements', bankStatementRoutes(deps));
  router.use('/payout-status-files', payoutStatusRoutes(deps));
  router.use('/receipt-evidence', receiptEvidenceRoutes(deps));
  router.use('/receipts', receiptRoutes(deps));
  router.use('/money-terms', moneyTermRoutes(deps));
  router.use('/balance-refunds', balanceRefundRoutes(deps));
  router.get('/advertisers/:id/refundable', refundableRoute(deps));
  router.use('/reversals', reversalRoutes(deps));
  router.use('/withdrawals', adminWithdrawalRoutes(deps));
  router.use('/ledger', ledgerRoutes(deps));
  router.use('/books', bookRoutes(deps));
  router.use('/settings', settingRoutes(deps));
  router.use('/approvals', approvalRoutes(deps));
  router.use('/operators', operatorRoutes(deps));
  router.use('/operator-invitations', operatorInvitationRoutes(deps));
  router.use('/events', eventRoutes(deps, openTrack));
  router.use('/health', platformHealthRoutes(deps));
  router.use('/notifications', operatorNoticeRoutes(deps));
  router.use('/codec', codecPassRoutes(deps));
  router.use('/search', searchRoutes(deps));
  router.use('/audit-log', auditLogRoutes(deps));
  router.use('/saved-views', savedViewRoutes(deps));
  router.use('/report-schedules', reportScheduleRoutes(deps, 'admin'));
  router.use('/preferences', preferenceRoutes(deps));
  return router;
}
