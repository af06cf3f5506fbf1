import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { methodsOf, VERIFY_RETRY_SECONDS, type VerifyMethod } from '../../domain/lifecycle/site.ts';
import {
  SITE_VERIFICATION_WITHDRAW_SIGNAL,
  SITE_VERIFICATION_WORKFLOW,
  type SiteCheck,
  type SiteCheckResult,
  type SiteVerificationInput,
  siteVerificationWorkflowId,
} from '../../workflows/contracts/site-verification.ts';
import type { ActivityDeps } from '../deps.ts';
import { runOnce, runStep } from '../core/run-once.ts';
import { openOperation, reportOperation } from '../core/operations.ts';
import { publishInventory } from '../core/outbox.ts';
import { lookForProof, PROOF_FOUND } from '../providers/site-proof.ts';
import type { RecordOf } from '../../db/schema/models.ts';
type Site = RecordOf<'sites'>;

export interface VerificationRequest {
  siteId: number;
  publisherId: number;
  method: VerifyMethod;
  retryAfterSeconds?: readonly number[];
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
  const { rows } = await runner(deps.db, tx).query<{ round: number }>(
    `UPDATE site_verifications SET status = 'VOID', last_outcome = 'WITHDRAWN', finished_at = now()
     WHERE site_id = $1 AND status = 'RUNNING' RETURNING round`,
    [siteId],
  );
  for (const { round } of rows) {
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

    /**
     * One attempt, written once under `site-verify:{site}:{round}:check:{attempt}`. The network is
     * asked before the transaction opens; the write holds only while the round, the names and the
     * code are still those that were asked about.
     */
    async checkSite(check: SiteCheck): Promise<SiteCheckResult> {
      const site = await deps.db.models.sites.findByPk(check.siteId);
      const round = await deps.db.models.siteVerifications.findOne({
        where: { siteId: check.siteId, round: check.round },
      });
      if (site === null || round === null) return { state: 'VOID', outcome: 'GONE' };
      const outcome =
        round.status === 'RUNNING'
          ? await lookForProof(deps.providers.outbound, site, round.method)
          : 'ENDED';
      const key = `${siteVerificationWorkflowId(check)}:check:${check.attempt}`;
      return await runOnce(
        deps.db,
        key,
        async (tx) => await record(deps, tx, { check, site, outcome }),
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
    retryAfterSeconds: request.retryAfterSeconds ?? VERIFY_RETRY_SECONDS,
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
  await deps.outbox.enqueue(tx, {
    kind: 'workflow_start',
    dedupeKey: `start:${workflowId}`,
    payload: {
      workflowId,
      type: SITE_VERIFICATION_WORKFLOW,
      taskQueue: 'review',
      input,
      summary: `Verify site ${site.id} by ${request.method}, round ${input.round}`,
    },
  });
  return operationId;
}

async function record(
  deps: ActivityDeps,
  tx: Transaction,
  seen: { check: SiteCheck; site: Site; outcome: string },
): Promise<SiteCheckResult> {
  const { check, site, outcome } = seen;
  const found = outcome === PROOF_FOUND;
  const state = found ? 'VERIFIED' : check.nextAfterSeconds === null ? 'FAILED' : 'MISSED';
  // Locks in the order of every writer: the site, then its round.
  if (!(await stillTheSame(deps, tx, site, check.round)))
    return { state: 'VOID', outcome: 'WITHDRAWN' };
  const sql = runner(deps.db, tx);
  const { rows } = await sql.query<{ method: string }>(
    `UPDATE site_verifications SET attempts = GREATEST(attempts, $3), last_outcome = $4,
       status = CASE WHEN $5 = 'MISSED' THEN status ELSE $5 END,
       finished_at = CASE WHEN $5 = 'MISSED' THEN NULL ELSE now() END
     WHERE site_id = $1 AND round = $2 AND status = 'RUNNING' RETURNING method`,
    [check.siteId, check.round, check.attempt, outcome, state],
  );
  const [moved] = rows;
  if (moved === undefined) return { state: 'VOID', outcome: 'WITHDRAWN' };
  if (found) {
    await sql.query(
      `UPDATE sites SET verify_status = 'VERIFIED', verify_method = $2, verified_at = now(),
         verify_misses = 0, verify_lapses_at = NULL, verify_due_at = NULL,
         version = version + 1, updated_at = now()
       WHERE id = $1 RETURNING id`,
      [check.siteId, moved.method],
    );
    await publishInventory(deps.outbox, tx, { topic: 'publisher', id: site.publisherId });
  }
  const nextAt =
    state === 'MISSED'
      ? new Date(deps.clock().getTime() + (check.nextAfterSeconds ?? 0) * 1_000).toISOString()
      : null;
  await reportOperation(deps, tx, siteVerificationWorkflowId(check), {
    status: found ? 'succeeded' : state === 'FAILED' ? 'failed' : 'running',
    phase: state === 'MISSED' ? 'waiting' : state.toLowerCase(),
    note: outcome,
    progress: { attempts: check.attempt, last_outcome: outcome, next_attempt_at: nextAt },
    ...(found ? { result: { verify_status: 'VERIFIED', method: moved.method } } : {}),
    ...(state === 'FAILED' ? { error: { error: 'not_verified', outcome } } : {}),
  });
  return { state, outcome };
}

/** Only what was asked about may become verified: not a renamed, archived or re-started site. */
async function stillTheSame(
  deps: ActivityDeps,
  tx: Transaction,
  site: Site,
  round: number,
): Promise<boolean> {
  const { rows } = await runner(deps.db, tx).query<{ id: string }>(
    `SELECT id FROM sites WHERE id = $1 AND verify_round = $2 AND verify_token = $3
       AND domain IS NOT DISTINCT FROM $4 AND url IS NOT DISTINCT FROM $5 AND status <> 'ARCHIVED'
     FOR NO KEY UPDATE`,
    [site.id, round, site.verifyToken, site.domain, site.url],
  );
  return rows.length > 0;
}
