import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { NOW } from '../../db/schema/move.ts';
import { loadSettings } from '../../db/settings.ts';
import { OPEN_TRANSFER_STATUSES } from '../../domain/lifecycle/domain-transfer.ts';
import type { VerifyMethod } from '../../domain/lifecycle/site.ts';
import type { NotificationKind } from '../../domain/notifications.ts';
import {
  DOMAIN_TRANSFER_WAKE_SIGNAL,
  domainTransferStart,
  domainTransferWorkflowId,
} from '../../workflows/contracts/domain-transfer.ts';
import { queueMail } from '../accounts/mails.ts';
import { notify } from '../accounts/notifications.ts';
import { moveRecord } from '../core/move-record.ts';
import { openOperation, reportOperation } from '../core/operations.ts';
import { publishInventory, startFlow } from '../core/outbox.ts';
import type { ActivityDeps } from '../deps.ts';
import { submitReview } from '../review/reviews.ts';
import { voidTasks } from '../review/tasks.ts';
import type { DomainHolder } from './domain-claims.ts';
import { claimOf } from './site-domain.ts';
import { newSiteCode, verifySite } from './site-verified.ts';

export type Transfer = RecordOf<'domainTransfers'>;
type Site = RecordOf<'sites'>;

const HOUR_MS = 3_600_000;
/** The console shows it anyway. */
const NEWS_LIVE_MS = 7 * 24 * HOUR_MS;
const OPEN = { status: [...OPEN_TRANSFER_STATUSES] };

/** Somebody proved a domain that another account holds: its holder has notice. Under lockClaim. */
export async function askForTransfer(
  deps: ActivityDeps,
  tx: Transaction,
  { site, holder, method }: { site: Site; holder: DomainHolder; method: VerifyMethod },
): Promise<void> {
  const { domainTransfers } = deps.db.models;
  const where = { claimantSiteId: site.id, ...OPEN };
  if ((await domainTransfers.findOne({ where, transaction: tx })) !== null) return;
  const dueAt = await noticeEnd(deps, tx);
  const transfer = await domainTransfers.create(
    {
      domain: claimOf(site.domain ?? ''),
      claimantId: site.publisherId,
      claimantSiteId: site.id,
      holderId: holder.publisherId,
      holderSiteId: holder.id,
      method,
      dueAt,
    },
    { transaction: tx },
  );
  await openOperation(deps, tx, {
    accountId: site.publisherId,
    kind: 'domain_transfer',
    subject: { type: 'site', id: site.id },
    workflowId: domainTransferWorkflowId(transfer.id),
    note: method,
  });
  await tellHolder(deps, tx, transfer, holder.name);
  await tellSide(deps, tx, transfer, { side: 'claimant', kind: 'domain_asked' });
  const input = { transferId: transfer.id, dueAt: dueAt.toISOString() };
  await startFlow(deps, tx, domainTransferStart(input), { accountId: site.publisherId });
}

export async function noticeEnd(deps: ActivityDeps, tx: Transaction): Promise<Date> {
  const { 'site.transfer_notice_hours': hours } = await loadSettings(runner(deps.db, tx));
  return new Date(deps.clock().getTime() + hours * HOUR_MS);
}

/** The news and the letter: who says nothing may lose the domain. */
export async function tellHolder(
  deps: ActivityDeps,
  tx: Transaction,
  { id, holderId, holderSiteId, domain, dueAt }: Transfer,
  name: string,
): Promise<void> {
  await notify(deps, tx, {
    accountId: holderId,
    kind: 'domain_contested',
    subject: { type: 'site', id: holderSiteId },
    params: { name },
    dedupeKey: `domain-contested:${id}:${holderSiteId}`,
  });
  const expiresAt = new Date(dueAt.getTime() + NEWS_LIVE_MS);
  const detail = `${domain} ${dueAt.toISOString()}`;
  await queueMail(deps, tx, { kind: 'domain_contested', accountId: holderId, detail, expiresAt });
}

/**
 * The domain is the claimant's. What its holder earned stays the holder's: no account is touched. The
 * holder's site has another code, so that a proof which is still somewhere proves nothing.
 */
export async function moveDomain(
  deps: ActivityDeps,
  tx: Transaction,
  moved: { transfer: Transfer; claimant: Site; holder: Site | null },
): Promise<void> {
  const { transfer, claimant, holder } = moved;
  if (holder !== null) await takeFrom(deps, tx, holder);
  await verifySite(deps, tx, claimant, transfer.method);
  await endTransfer(deps, tx, transfer, { action: 'move', status: 'succeeded' });
}

async function takeFrom(deps: ActivityDeps, tx: Transaction, holder: Site): Promise<void> {
  await moveRecord(deps.db, tx, 'sites', {
    record: holder,
    state: 'verifyStatus',
    action: 'reset',
    set: { verifyMethod: null, verifiedAt: null, verifyToken: newSiteCode(), claimedAt: NOW },
  });
  const { id, publisherId: accountId, name } = holder;
  // What an operator suspended stays so.
  if (holder.auditStatus !== 'SUSPENDED') {
    await submitReview(deps, tx, { type: 'site', id, accountId });
  }
  await publishInventory(deps.outbox, tx, { topic: 'publisher', id: accountId });
  const subject = { type: 'site', id };
  await notify(deps, tx, { accountId, kind: 'domain_moved', subject, params: { name } });
  const expiresAt = new Date(deps.clock().getTime() + NEWS_LIVE_MS);
  const detail = holder.domain ?? name;
  await queueMail(deps, tx, { kind: 'domain_moved', accountId, detail, expiresAt });
}

interface TransferEnd {
  action: 'move' | 'refuse' | 'withdraw';
  status: 'succeeded' | 'failed' | 'cancelled';
  /** Why, as its claimant is told. */
  reason?: string;
}

export async function endTransfer(
  deps: ActivityDeps,
  tx: Transaction,
  transfer: Transfer,
  { action, status, reason }: TransferEnd,
): Promise<void> {
  await moveRecord(deps.db, tx, 'domainTransfers', {
    record: transfer,
    state: 'status',
    action,
    set: { endedAt: NOW },
  });
  // The pages of both sites show an open transfer alone: without news it would vanish from there unexplained.
  if (action === 'refuse') {
    await tellSide(deps, tx, transfer, { side: 'claimant', kind: 'domain_refused' });
  }
  if (action !== 'move') {
    await tellSide(deps, tx, transfer, { side: 'holder', kind: 'domain_kept' });
  }
  await reportOperation(deps, tx, domainTransferWorkflowId(transfer.id), {
    status,
    phase: transfer.status.toLowerCase(),
    ...(reason === undefined ? {} : { note: reason }),
    ...(status === 'succeeded' ? { result: { verify_status: 'VERIFIED' } } : {}),
    ...(status === 'failed' ? { error: { error: 'transfer_refused', reason } } : {}),
  });
}

/** Told once per transfer. A holder whose site is archived keeps nothing, and hears nothing. */
export async function tellSide(
  deps: ActivityDeps,
  tx: Transaction,
  transfer: Transfer,
  { side, kind }: { side: 'claimant' | 'holder'; kind: NotificationKind },
): Promise<void> {
  const [accountId, siteId] =
    side === 'holder'
      ? [transfer.holderId, transfer.holderSiteId]
      : [transfer.claimantId, transfer.claimantSiteId];
  const site = await deps.db.models.sites.findByPk(siteId, { transaction: tx });
  if (side === 'holder' && site?.status === 'ARCHIVED') return;
  await notify(deps, tx, {
    accountId,
    kind,
    subject: { type: 'site', id: siteId },
    params: { name: site?.name ?? '' },
    dedupeKey: `${kind.replaceAll('_', '-')}:${transfer.id}:${siteId}`,
  });
}

/** Whoever asked has given the name up, or says so: the flow is told. Answers how many were open. */
export async function withdrawTransfersOf(
  deps: ActivityDeps,
  tx: Transaction,
  claimantSiteId: number,
): Promise<number> {
  const open = await deps.db.models.domainTransfers.findAll({
    where: { claimantSiteId, ...OPEN },
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  for (const transfer of open) {
    const end = { action: 'withdraw', status: 'cancelled', reason: 'WITHDRAWN' } as const;
    await endTransfer(deps, tx, transfer, end);
    await voidTasks(deps, tx, domainTransferWorkflowId(transfer.id));
    await wakeTransfer(deps, tx, transfer.id, 'withdrawn');
  }
  return open.length;
}

/** The flow looks at its rows. */
export async function wakeTransfer(
  deps: ActivityDeps,
  tx: Transaction,
  transferId: number,
  why: 'objected' | 'withdrawn',
): Promise<void> {
  const workflowId = domainTransferWorkflowId(transferId);
  await deps.outbox.enqueue(tx, {
    kind: 'workflow_signal',
    dedupeKey: `wake:${workflowId}:${why}`,
    payload: { workflowId, signal: DOMAIN_TRANSFER_WAKE_SIGNAL },
  });
}
