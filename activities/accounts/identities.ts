import { Context } from '@temporalio/activity';
import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { moveRows } from '../../db/schema/move.ts';
import { columnsOf, readRows, select } from '../../db/schema/selection.ts';
import { kycApplications } from '../../db/tables/kyc-application.ts';
import { REMINDER_DAYS } from '../../domain/lifecycle/kyc.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import { recordAudit } from '../core/audit.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import type { MoveAccount } from './accounts.ts';
import { eraseIdentities, lookAtPapers } from './identity-erasure.ts';
import { lockAccount, moveKycStatus, tellOfKyc } from './kyc-status.ts';

/** Per round; the next one takes the rest. */
const AT_ONCE_MAX = 500;
const DAY_MS = 86_400_000;

export interface IdentitiesReport {
  reminded: number;
  expired: number;
  erased: number;
  /** Papers without their file. */
  missing: number;
}

export function createIdentityActivities(deps: ActivityDeps) {
  return {
    /** One round of the schedule: who is reminded, whose identity ends, what is erased. */
    async keepIdentities(): Promise<IdentitiesReport> {
      const signal = Context.current().cancellationSignal;
      return {
        reminded: await remindOfExpiry(deps),
        expired: await expireKyc(deps, signal),
        erased: await eraseIdentities(deps, signal),
        missing: (await lookAtPapers(deps)).missing.length,
      };
    },

    holdPapers: async (command: MoveAccount): Promise<void> =>
      await runStep(deps.db, 'papers.hold', async (tx) => {
        await hold(deps, tx, { ...command, held: true });
      }),

    releasePapers: async (command: MoveAccount): Promise<void> =>
      await runStep(deps.db, 'papers.release', async (tx) => {
        await hold(deps, tx, { ...command, held: false });
      }),
  };
}

/** Nothing of the account is erased while a law or a court asks for it. Raises not_found, state_conflict. */
async function hold(
  deps: ActivityDeps,
  tx: Transaction,
  { id, kind, operatorId, reason, requestId, held }: MoveAccount & { held: boolean },
): Promise<void> {
  const account = await lockAccount(deps, tx, id);
  if (account.kind !== kind) throw notFound();
  if ((account.legalHoldAt !== null) === held) {
    throw conflict(held ? 'The papers are held already.' : 'Nobody holds the papers.');
  }
  const legalHoldAt = held ? deps.clock() : null;
  await account.update({ legalHoldAt }, { transaction: tx, silent: true });
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: operatorId },
    action: held ? 'kyc.hold' : 'kyc.release',
    subject: { type: kind.toLowerCase(), id },
    detail: reason === undefined ? {} : { reason },
    requestId,
    accountId: id,
  });
}

const ROUND = select(
  columnsOf(kycApplications, 'k', ['id', 'accountId', 'expiresAt', 'remindedDays']),
);
const [FIRST_DAYS, ...LATER_DAYS] = REMINDER_DAYS;
/** Of `k`, at $1: the nearest reminder that is due. Who was away for the first ones has the last alone. */
const DUE_DAYS = `CASE ${LATER_DAYS.toReversed()
  .map((days) => `WHEN k.expires_at <= $1::timestamptz + interval '${days} days' THEN ${days}`)
  .join(' ')} ELSE ${FIRST_DAYS} END`;

/**
 * Tells owners that their identity ends, 30, 7 and 1 day before. Mark and letter commit together, so each comes once.
 * Whoever has sent new papers is not reminded. Answers how many were.
 */
export async function remindOfExpiry(deps: ActivityDeps): Promise<number> {
  const now = deps.clock();
  return await inTransaction(deps.db, async (tx) => {
    const due = await readRows(
      runner(deps.db, tx),
      ROUND,
      `UPDATE kyc_applications k SET reminded_days = ${DUE_DAYS}
       WHERE k.id IN (
         SELECT k.id FROM kyc_applications k WHERE k.status = 'APPROVED' AND k.expires_at > $1
           AND k.expires_at <= $1::timestamptz + interval '${FIRST_DAYS} days'
           AND (k.reminded_days IS NULL OR k.reminded_days > ${DUE_DAYS})
           AND NOT EXISTS (SELECT FROM kyc_applications r
             WHERE r.account_id = k.account_id AND r.status = 'PENDING')
         ORDER BY k.expires_at LIMIT ${AT_ONCE_MAX} FOR UPDATE OF k SKIP LOCKED)
       RETURNING ${ROUND.list}`,
      [now],
    );
    for (const round of due) {
      if (round.expiresAt === null) continue;
      const days = Math.ceil((round.expiresAt.getTime() - now.getTime()) / DAY_MS);
      const params = { days, until: round.expiresAt.toISOString() };
      await tellOfKyc(deps, tx, round, { kind: 'kyc_expiring', params });
    }
    return due.length;
  });
}

const OVER = select(columnsOf(kycApplications, 'k', ['id', 'accountId']));

/** Approvals whose time is over, each by itself; harmless twice and at once. Answers how many ended. */
export async function expireKyc(deps: ActivityDeps, signal?: AbortSignal): Promise<number> {
  const over = await readRows(
    runner(deps.db),
    OVER,
    `SELECT ${OVER.list} FROM kyc_applications k WHERE k.status = 'APPROVED' AND k.expires_at <= $1
     ORDER BY k.expires_at LIMIT ${AT_ONCE_MAX}`,
    [deps.clock()],
  );
  let expired = 0;
  for (const round of over) {
    signal?.throwIfAborted();
    if (await inTransaction(deps.db, async (tx) => await expire(deps, tx, round))) expired += 1;
  }
  return expired;
}

/** False: somebody else was faster, or a renewal was. */
async function expire(
  deps: ActivityDeps,
  tx: Transaction,
  { id, accountId }: { id: number; accountId: number },
): Promise<boolean> {
  const { kycStatus } = await lockAccount(deps, tx, accountId);
  const ended = await moveRows(runner(deps.db, tx), kycApplications, {
    state: 'status',
    action: 'expire',
    where: { id },
  });
  if (ended.length === 0) return false;
  // Nothing but an approved identity ends; a renewal that is looked at keeps it from being asked for anew.
  if (kycStatus === 'approved') {
    const pending = { where: { accountId, status: 'PENDING' as const }, transaction: tx };
    const isRenewed = (await deps.db.models.kycApplications.count(pending)) > 0;
    await moveKycStatus(deps, tx, { accountId, action: isRenewed ? 'lapse' : 'expire' });
  }
  await tellOfKyc(
    deps,
    tx,
    { id, accountId },
    {
      kind: 'kyc_decided',
      params: { status: 'expired' },
    },
  );
  return true;
}
