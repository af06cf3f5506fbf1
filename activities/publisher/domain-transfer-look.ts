import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import type { ReviewFinding } from '../../db/tables/json.ts';
import { notFound } from '../../domain/errors.ts';
import { type TransferAnswer, transferAnswer } from '../../domain/lifecycle/domain-transfer.ts';
import {
  domainTransferWorkflowId,
  type TransferSeen,
} from '../../workflows/contracts/domain-transfer.ts';
import { moveRecord } from '../core/move-record.ts';
import { reportOperation } from '../core/operations.ts';
import type { ActivityDeps } from '../deps.ts';
import { PROOF_FOUND } from '../providers/site-proof.ts';
import { openQuestion } from '../review/open-question.ts';
import { openTask } from '../review/tasks.ts';
import { type DomainHolder, lockClaim, otherHolder } from './domain-claims.ts';
import {
  endTransfer,
  moveDomain,
  noticeEnd,
  tellHolder,
  tellSide,
  type Transfer,
} from './domain-transfer-steps.ts';
import { lookForOwnProof } from './own-proof.ts';

type Site = RecordOf<'sites'>;

/** A person answers within three days, or is reminded. */
const DECISION_DUE_MS = 3 * 86_400_000;

async function lockTransfer(deps: ActivityDeps, tx: Transaction, id: number): Promise<Transfer> {
  const transfer = await deps.db.models.domainTransfers.findByPk(id, {
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  if (transfer === null) throw notFound();
  return transfer;
}

/** What both servers said, and of what: an answer holds only while it is still about the same. */
interface Proofs {
  claimant: { token: string; domain: string | null; outcome: string } | null;
  holder: { siteId: number; outcome: string } | null;
}

export async function lookAtBoth(deps: ActivityDeps, transferId: number): Promise<Proofs> {
  const { domainTransfers, sites } = deps.db.models;
  const transfer = await domainTransfers.findByPk(transferId);
  if (transfer?.status !== 'NOTICE' || isEarly(deps, transfer)) {
    return { claimant: null, holder: null };
  }
  const claimant = await sites.findByPk(transfer.claimantSiteId);
  const holder = await sites.findByPk(transfer.holderSiteId);
  return {
    claimant: claimant && {
      token: claimant.verifyToken,
      domain: claimant.domain,
      outcome: await lookForOwnProof(deps, claimant, transfer.method),
    },
    holder: holder && {
      siteId: holder.id,
      outcome: await lookForOwnProof(deps, holder, holder.verifyMethod ?? transfer.method),
    },
  };
}

/** A minute of clocks that disagree is no early look. */
const isEarly = (deps: ActivityDeps, { dueAt, objectedAt }: Transfer): boolean =>
  objectedAt === null && deps.clock().getTime() + 60_000 < dueAt.getTime();

/** The claim, the claimant's site, the transfer: in the order of every writer. */
export async function lockAll(
  deps: ActivityDeps,
  tx: Transaction,
  transferId: number,
): Promise<{ transfer: Transfer; claimant: Site | null; holder: DomainHolder | undefined }> {
  const { domainTransfers, sites } = deps.db.models;
  const named = await domainTransfers.findByPk(transferId, { transaction: tx });
  if (named === null) throw notFound();
  const sql = runner(deps.db, tx);
  await lockClaim(sql, named.domain);
  const claimant = await sites.findByPk(named.claimantSiteId, {
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  const transfer = await lockTransfer(deps, tx, transferId);
  const of = { domain: transfer.domain, publisherId: transfer.claimantId };
  const isThere = claimant !== null && claimant.status !== 'ARCHIVED';
  return { transfer, claimant: isThere ? claimant : null, holder: await otherHolder(sql, of) };
}

export const siteOf = async (
  deps: ActivityDeps,
  tx: Transaction,
  holder: DomainHolder | undefined,
): Promise<Site | null> =>
  holder === undefined
    ? null
    : await deps.db.models.sites.findByPk(holder.id, { transaction: tx, lock: tx.LOCK.UPDATE });

export async function answer(
  deps: ActivityDeps,
  tx: Transaction,
  transferId: number,
  proofs: Proofs,
): Promise<TransferSeen> {
  const { transfer, claimant, holder } = await lockAll(deps, tx, transferId);
  if (transfer.status === 'DISPUTED') {
    const question = await openQuestion(deps, domainTransferWorkflowId(transferId), tx);
    return { state: 'DISPUTED', question };
  }
  if (transfer.status !== 'NOTICE') return { state: 'ENDED', status: transfer.status };
  // What was looked at changed, or nothing was: look again soon.
  const isSame =
    claimant?.verifyToken === proofs.claimant?.token &&
    claimant?.domain === proofs.claimant?.domain;
  if (claimant !== null && (proofs.claimant === null || !isSame)) return waiting(transfer);
  if (holder !== undefined && holder.id !== transfer.holderSiteId) {
    return await askAnew(deps, tx, transfer, holder);
  }
  const claimantOutcome = proofs.claimant?.outcome ?? 'GONE';
  const holderOutcome = holder === undefined ? 'TOKEN_NOT_FOUND' : (proofs.holder?.outcome ?? '');
  await transfer.update({ claimantOutcome, holderOutcome }, { transaction: tx });
  const answered = transferAnswer({
    claimantProves: claimant !== null && claimantOutcome === PROOF_FOUND,
    holderOutcome,
    hasObjection: transfer.objectedAt !== null && holder !== undefined,
  });
  return await conclude(deps, tx, { transfer, claimant, holder }, answered);
}

const waiting = ({ dueAt }: Transfer): TransferSeen => ({
  state: 'NOTICE',
  dueAt: dueAt.toISOString(),
});

/** The domain went to somebody else meanwhile, who has heard nothing of it yet. */
async function askAnew(
  deps: ActivityDeps,
  tx: Transaction,
  transfer: Transfer,
  holder: DomainHolder,
): Promise<TransferSeen> {
  const dueAt = await noticeEnd(deps, tx);
  const now = { holderId: holder.publisherId, holderSiteId: holder.id, dueAt };
  await transfer.update({ ...now, objection: null, objectedAt: null }, { transaction: tx });
  await tellHolder(deps, tx, transfer, holder.name);
  return waiting(transfer);
}

async function conclude(
  deps: ActivityDeps,
  tx: Transaction,
  of: { transfer: Transfer; claimant: Site | null; holder: DomainHolder | undefined },
  answered: TransferAnswer,
): Promise<TransferSeen> {
  const { transfer, claimant, holder } = of;
  if (answered === 'move' && claimant !== null) {
    await moveDomain(deps, tx, { transfer, claimant, holder: await siteOf(deps, tx, holder) });
  } else if (answered === 'dispute') {
    return await dispute(deps, tx, transfer);
  } else {
    const reason = claimant === null ? 'SITE_GONE' : 'PROOF_GONE';
    await endTransfer(deps, tx, transfer, { action: 'refuse', status: 'failed', reason });
  }
  return { state: 'ENDED', status: transfer.status };
}

/** A person decides, with the facts in front of them. */
async function dispute(
  deps: ActivityDeps,
  tx: Transaction,
  transfer: Transfer,
): Promise<TransferSeen> {
  await moveRecord(deps.db, tx, 'domainTransfers', {
    record: transfer,
    state: 'status',
    action: 'dispute',
  });
  const workflowId = domainTransferWorkflowId(transfer.id);
  await openTask(deps, tx, {
    kind: 'domain_transfer',
    subject: { type: 'site', id: transfer.claimantSiteId },
    accountId: transfer.claimantId,
    heading: {
      form: 'DOMAIN',
      domain: transfer.domain,
      claimant_site_id: transfer.claimantSiteId,
      holder_site_id: transfer.holderSiteId,
    },
    findings: factsOf(transfer),
    decisions: ['approve', 'reject'],
    payload: { transfer_id: transfer.id },
    workflowId,
    dedupeKey: `${workflowId}:task`,
    dueAt: new Date(deps.clock().getTime() + DECISION_DUE_MS),
  });
  await tellSide(deps, tx, transfer, { side: 'claimant', kind: 'domain_disputed' });
  await tellSide(deps, tx, transfer, { side: 'holder', kind: 'domain_disputed' });
  await reportOperation(deps, tx, workflowId, { status: 'waiting_human', phase: 'disputed' });
  return { state: 'DISPUTED', question: await openQuestion(deps, workflowId, tx) };
}

function factsOf({ claimantOutcome, holderOutcome, objection }: Transfer): ReviewFinding[] {
  const found: ReviewFinding[] = [
    { code: 'CLAIMANT_PROVES', severity: 'notice', note: claimantOutcome ?? '' },
  ];
  const code = holderOutcome === PROOF_FOUND ? 'HOLDER_PROVES' : 'HOLDER_UNPROVEN';
  found.push({ code, severity: 'notice', note: holderOutcome ?? '' });
  if (objection !== null) {
    found.push({ code: 'HOLDER_OBJECTS', severity: 'notice', note: objection });
  }
  return found;
}
