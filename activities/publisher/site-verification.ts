import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { moveRows, NOW } from '../../db/schema/move.ts';
import { siteVerifications } from '../../db/tables/site-verification.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { NOT_ARCHIVED } from '../../domain/lifecycle/review.ts';
import { methodsOf, type VerifyMethod } from '../../domain/lifecycle/site.ts';
import {
  SITE_VERIFICATION_WITHDRAW_SIGNAL,
  type SiteCheck,
  type SiteCheckResult,
  type SiteVerificationInput,
  siteVerificationStart,
  siteVerificationWorkflowId,
} from '../../workflows/contracts/site-verification.ts';
import type { ActivityDeps } from '../deps.ts';
import { runOnce, runStep } from '../core/run-once.ts';
import { moveRecord } from '../core/move-record.ts';
import { openOperation, reportOperation } from '../core/operations.ts';
import { startFlow } from '../core/outbox.ts';
import { PROOF_FOUND } from '../providers/site-proof.ts';
import { type DomainHolder, lockClaim, otherHolder } from './domain-claims.ts';
import { askForTransfer } from './domain-transfer-steps.ts';
import { lookForOwnProof } from './own-proof.ts';
import { verifySite } from './site-verified.ts';

type Site = RecordOf<'sites'>;

export interface VerificationRequest {
  siteId: number;
  publisherId: number;
  method: VerifyMethod;
  /** When to look again after a miss; the last miss of them is final. */
  retryAfterSeconds: readonly number[];
}

/**
 * Ends a running verification in the caller's transaction: rows void, operation cancelled, flow notified.
 * Harmless when none runs.
 */
export async function withdrawSiteVerification(
  deps: ActivityDeps,
  tx: Transaction,
  siteId: number,
): Promise<void> {
  const voided = await moveRows(runner(deps.db, tx), siteVerifications, {
    state: 'status',
    action: 'void',
    where: { siteId },
    set: { lastOutcome: 'WITHDRAWN', finishedAt: NOW },
  });
  for (const { round } of voided) {
    const workflowId = siteVerificationWorkflowId({ siteId, round });
    await reportOperation(deps, tx, workflowId, {
      status: 'cancelled',
      phase: 'withdrawn',
      note: 'WITHDRAWN',
    });
    await deps.outbox.enqueue(tx, {
      kind: 'workflow_signal',
      dedupeKey: `withdraw:${workflowId}`,
      payload: { workflowId, signal: SITE_VERIFICATION_WITHDRAW_SIGNAL },
    });
  }
}

export function createSiteVerificationActivities(deps: ActivityDeps) {
  return {
    /**
     * Begins a round: a running one is withdrawn first, so there is one flow per site. Answers the
     * operation to watch. Raises not_found, and 422 on method for one that this site cannot use.
     */
    async requestSiteVerification(request: VerificationRequest): Promise<{ operationId: number }> {
      return await runStep(deps.db, 'site.verify', async (tx) => {
        const site = await deps.db.models.sites.findOne({
          where: { id: request.siteId, publisherId: request.publisherId },
          transaction: tx,
          lock: tx.LOCK.UPDATE,
        });
        if (site === null || site.status === 'ARCHIVED') throw notFound();
        assertMethod(site, request.method);
        await withdrawSiteVerification(deps, tx, site.id);
        site.verifyRound += 1;
        site.version += 1;
        await site.save({ transaction: tx });
        return { operationId: await startRound(deps, tx, site, request) };
      });
    },

    /** Whether its rows say that it was withdrawn. */
    async isVerificationWithdrawn(key: { siteId: number; round: number }): Promise<boolean> {
      const round = await deps.db.models.siteVerifications.findOne({ where: key });
      return round?.status !== 'RUNNING';
    },

    /**
     * One attempt, written once under `site-verify:{site}:{round}:check:{attempt}`. The network
     * answers before the transaction opens; the write holds only while the round, the names and the
     * code are still those that were looked for.
     */
    async checkSite(check: SiteCheck): Promise<SiteCheckResult> {
      const site = await deps.db.models.sites.findByPk(check.siteId);
      const round = await deps.db.models.siteVerifications.findOne({
        where: { siteId: check.siteId, round: check.round },
      });
      if (site === null || round === null) return { state: 'VOID', outcome: 'GONE' };
      const outcome =
        round.status === 'RUNNING' ? await lookForOwnProof(deps, site, round.method) : 'ENDED';
      const key = `${siteVerificationWorkflowId(check)}:check:${check.attempt}`;
      return await runOnce(
        deps.db,
        key,
        async (tx) => await recordAttempt(deps, tx, { check, site, outcome }),
      );
    },
  };
}

function assertMethod(site: Site, method: VerifyMethod): void {
  const methods = methodsOf(site.mediaType);
  if (!methods.includes(method)) {
    const message = `A site of type ${site.mediaType} is verified by ${methods.join(', ')}.`;
    throw invalid({ field: 'method', code: 'not_for_type', message });
  }
  if (site.mediaType !== 'WEB' && site.url === null) {
    const message = 'Set the url of the developer site first: its app-ads.txt is the proof.';
    throw invalid({ field: 'method', code: 'url_missing', message });
  }
}

async function startRound(
  deps: ActivityDeps,
  tx: Transaction,
  site: Site,
  request: VerificationRequest,
): Promise<number> {
  const input: SiteVerificationInput = {
    siteId: site.id,
    round: site.verifyRound,
    retryAfterSeconds: request.retryAfterSeconds,
  };
  const workflowId = siteVerificationWorkflowId(input);
  await deps.db.models.siteVerifications.create(
    { siteId: site.id, round: input.round, method: request.method },
    { transaction: tx },
  );
  const operationId = await openOperation(deps, tx, {
    accountId: request.publisherId,
    kind: 'site_verification',
    subject: { type: 'site', id: site.id },
    workflowId,
    note: request.method,
  });
  await startFlow(deps, tx, siteVerificationStart(input), { accountId: request.publisherId });
  return operationId;
}

interface Attempt {
  check: SiteCheck;
  /** As it was when the proof was looked for. */
  site: Site;
  outcome: string;
}

type CheckState = Exclude<SiteCheckResult['state'], 'VOID'>;

function stateOf(check: SiteCheck, found: boolean, holder: DomainHolder | undefined): CheckState {
  if (found) return holder === undefined ? 'VERIFIED' : 'HELD';
  return check.nextAfterSeconds === null ? 'FAILED' : 'MISSED';
}

const ROUND_ENDS = { VERIFIED: 'verify', HELD: 'contest', FAILED: 'fail' } as const;
const PHASES = {
  VERIFIED: 'verified',
  HELD: 'transfer_asked',
  FAILED: 'failed',
  MISSED: 'waiting',
} as const;

const WITHDRAWN: SiteCheckResult = { state: 'VOID', outcome: 'WITHDRAWN' };

async function recordAttempt(
  deps: ActivityDeps,
  tx: Transaction,
  { check, site: seen, outcome }: Attempt,
): Promise<SiteCheckResult> {
  const { siteId, round } = check;
  const found = outcome === PROOF_FOUND;
  // Locks in the order of every writer: the claim, the site, then its round.
  const claim = found && seen.mediaType === 'WEB' ? seen.domain : null;
  if (claim !== null) await lockClaim(runner(deps.db, tx), claim);
  const site = await lockUnchanged(deps, tx, seen, round);
  if (site === null) return WITHDRAWN;
  const verification = await deps.db.models.siteVerifications.findOne({
    where: { siteId, round, status: 'RUNNING' },
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  if (verification === null) return WITHDRAWN;
  const { method } = verification;
  const of = { domain: claim ?? '', publisherId: site.publisherId };
  const holder = claim === null ? undefined : await otherHolder(runner(deps.db, tx), of);
  const state = stateOf(check, found, holder);
  verification.attempts = Math.max(verification.attempts, check.attempt);
  verification.lastOutcome = outcome;
  await verification.save({ transaction: tx });
  if (state !== 'MISSED') {
    await moveRecord(deps.db, tx, 'siteVerifications', {
      record: verification,
      state: 'status',
      action: ROUND_ENDS[state],
      set: { finishedAt: NOW },
    });
  }
  if (state === 'VERIFIED') await verifySite(deps, tx, site, method);
  if (holder !== undefined) await askForTransfer(deps, tx, { site, holder, method });
  const nextAt =
    state === 'MISSED'
      ? new Date(deps.clock().getTime() + (check.nextAfterSeconds ?? 0) * 1_000).toISOString()
      : null;
  await reportOperation(deps, tx, siteVerificationWorkflowId(check), {
    status: found ? 'succeeded' : state === 'FAILED' ? 'failed' : 'running',
    phase: PHASES[state],
    note: outcome,
    progress: { attempts: check.attempt, last_outcome: outcome, next_attempt_at: nextAt },
    ...(found ? { result: { verify_status: site.verifyStatus, method } } : {}),
    ...(state === 'FAILED' ? { error: { error: 'not_verified', outcome } } : {}),
  });
  return { state, outcome };
}

/** Only what was looked at may become verified: null for a renamed, archived or re-started site. */
async function lockUnchanged(
  deps: ActivityDeps,
  tx: Transaction,
  { id, verifyToken, domain, url }: Site,
  verifyRound: number,
): Promise<Site | null> {
  return await deps.db.models.sites.findOne({
    where: { id, verifyRound, verifyToken, domain, url, status: [...NOT_ARCHIVED] },
    transaction: tx,
    lock: tx.LOCK.NO_KEY_UPDATE,
  });
}
