import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { moveRow, moveRows } from '../../db/schema/move.ts';
import { type AdContent, adRevisions } from '../../db/tables/ad-revision.ts';
import { type CreativeContent, creativeRevisions } from '../../db/tables/creative-revision.ts';
import type { ReviewReason } from '../../db/tables/json.ts';
import type { DecideAction } from '../../domain/lifecycle/review.ts';
import type { ActivityDeps } from '../deps.ts';

/**
 * Of what a viewer sees there are revisions: an edit makes a new PENDING one, and the approved one
 * serves until the new one is approved (interface 2.5). The law of creatives and of ads.
 */
export type RevisedType = 'ad' | 'creative';

export const isRevised = (type: string): type is RevisedType =>
  type === 'ad' || type === 'creative';

export interface RevisionKey {
  type: RevisedType;
  id: number;
  revision: number;
}

/** Content of an ad or of a creative, and whose it is. */
export type Revised =
  | { type: 'ad'; id: number; content: AdContent }
  | { type: 'creative'; id: number; content: CreativeContent };

type NewRevision = Revised & { revision: number; auditStatus: 'DRAFT' | 'PENDING' };

export async function createRevision(
  { db: { models } }: ActivityDeps,
  tx: Transaction,
  { id, revision, auditStatus, ...revised }: NewRevision,
): Promise<void> {
  const its = { revision, auditStatus };
  if (revised.type === 'ad') {
    await models.adRevisions.create({ ...revised.content, ...its, adId: id }, { transaction: tx });
  } else {
    const row = { ...revised.content, ...its, creativeId: id };
    await models.creativeRevisions.create(row, { transaction: tx });
  }
}

interface RevisedRecord {
  id: number;
  auditStatus: string;
  latestRevision: number;
}

/**
 * An edit of what is seen. A draft was seen by nobody and is edited in place; otherwise a new revision
 * waits for review, and one that nobody had decided on goes back to a draft. The caller saves `record`
 * and submits its latest revision.
 */
export async function writeRevision(
  deps: ActivityDeps,
  tx: Transaction,
  record: RevisedRecord,
  revised: Revised,
): Promise<void> {
  const { type, id } = revised;
  const { models } = deps.db;
  const revision = record.latestRevision;
  if (record.auditStatus === 'DRAFT') {
    await (revised.type === 'ad'
      ? models.adRevisions.update(revised.content, {
          where: { adId: id, revision },
          transaction: tx,
        })
      : models.creativeRevisions.update(revised.content, {
          where: { creativeId: id, revision },
          transaction: tx,
        }));
    return;
  }
  await moveEither(deps, tx, { type, id, revision }, 'supersede');
  record.latestRevision += 1;
  const next = { revision: record.latestRevision, auditStatus: 'PENDING' as const };
  await createRevision(deps, tx, { ...revised, ...next });
}

/** Its owner asks for a review, or appeals; one that waits already stays as it is. */
export async function submitRevision(
  deps: ActivityDeps,
  tx: Transaction,
  key: RevisionKey,
): Promise<void> {
  await moveEither(deps, tx, key, 'submit');
}

/** The approved one stops serving: it waits for a decision anew, or ends behind a newer one. */
export async function recallRevision(
  deps: ActivityDeps,
  tx: Transaction,
  key: RevisionKey,
  isNewest: boolean,
): Promise<void> {
  const { type, id } = key;
  await moveEither(deps, tx, key, isNewest ? 'recall' : 'retire');
  const { ads: Ads, creatives: Creatives } = deps.db.models;
  const options = { transaction: tx, rejectOnEmpty: true } as const;
  const record = await (type === 'ad'
    ? Ads.findByPk(id, options)
    : Creatives.findByPk(id, options));
  record.approvedRevision = null;
  await record.save({ transaction: tx, silent: true });
}

async function moveEither(
  deps: ActivityDeps,
  tx: Transaction,
  { type, id, revision }: RevisionKey,
  action: 'submit' | 'supersede' | 'recall' | 'retire',
): Promise<void> {
  const sql = runner(deps.db, tx);
  const set = action === 'submit' ? { auditReasons: null } : {};
  const move = { state: 'auditStatus', action, set } as const;
  await (type === 'ad'
    ? moveRows(sql, adRevisions, { ...move, where: { adId: id, revision } })
    : moveRows(sql, creativeRevisions, { ...move, where: { creativeId: id, revision } }));
}

interface Decided {
  type: RevisedType;
  id: number;
  /** The reviewed one; null is the latest. */
  revision: number | null;
  action: DecideAction;
  reasons: ReviewReason[] | null;
}

/** The approved revision keeps serving while a later one waits or is rejected (interface 2.5). */
export async function decideRevision(
  deps: ActivityDeps,
  tx: Transaction,
  { type, id, revision: reviewed, action, reasons }: Decided,
): Promise<void> {
  const { ads: Ads, creatives: Creatives } = deps.db.models;
  const options = { transaction: tx, rejectOnEmpty: true } as const;
  const record = await (type === 'ad'
    ? Ads.findByPk(id, options)
    : Creatives.findByPk(id, options));
  const revision = reviewed ?? record.latestRevision;
  const sql = runner(deps.db, tx);
  const move = { state: 'auditStatus', action, set: { auditReasons: reasons } } as const;
  await (type === 'ad'
    ? moveRow(sql, adRevisions, { ...move, where: { adId: id, revision } })
    : moveRow(sql, creativeRevisions, { ...move, where: { creativeId: id, revision } }));
  if (action === 'reject') return;
  record.approvedRevision = revision;
  await record.save({ transaction: tx, silent: true });
}
