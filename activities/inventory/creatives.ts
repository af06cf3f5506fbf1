import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { type FieldError, notFound } from '../../domain/errors.ts';
import { creativeFaults, type CreativeType, type DisplayType } from '../../domain/inventory.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import type { ActivityDeps } from '../deps.ts';
import {
  enterReview,
  given,
  type OwnedKey,
  publishAdvertiser,
  referenceFaults,
  refuse,
} from './inventory-lifecycle.ts';
import { submitReview } from '../review/reviews.ts';
import { runStep } from '../core/run-once.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { moveRows } from '../../db/schema/move.ts';
import { creativeRevisions } from '../../db/tables/creative-revision.ts';
type CreativeRevision = RecordOf<'creativeRevisions'>;

/** What a viewer sees: one revision. */
export interface CreativeContent {
  width: number | null;
  height: number | null;
  sizeId: number | null;
  imageMediaId: number | null;
  imageMediaId2: number | null;
  videoMediaId: number | null;
  iconMediaId: number | null;
  html5MediaId: number | null;
  htmlCode: string | null;
  vastXml: string | null;
  vastUrl: string | null;
  clickUrl: string | null;
}

/** Undefined leaves what is stored, null clears it. */
export type ContentPatch = { [Key in keyof CreativeContent]?: CreativeContent[Key] | undefined };

export interface NewCreative {
  advertiserId: number;
  name: string;
  creativeType: CreativeType;
  type: DisplayType;
  content: ContentPatch;
  saveAsDraft: boolean;
}

const EMPTY: CreativeContent = {
  width: null,
  height: null,
  sizeId: null,
  imageMediaId: null,
  imageMediaId2: null,
  videoMediaId: null,
  iconMediaId: null,
  html5MediaId: null,
  htmlCode: null,
  vastXml: null,
  vastUrl: null,
  clickUrl: null,
};
const CONTENT_KEYS = Object.keys(EMPTY) as (keyof CreativeContent)[];

export function createCreativeActivities(deps: ActivityDeps) {
  const { creatives: Creatives, creativeRevisions: Revisions } = deps.db.models;
  return {
    /** Answers the id. Raises 422 with every fault. */
    async createCreative(input: NewCreative): Promise<number> {
      return await runStep(deps.db, 'creative.create', async (tx) => {
        const { advertiserId, name, creativeType, type, saveAsDraft } = input;
        const content = await resolveContent(deps, tx, {
          ...input,
          base: EMPTY,
          patch: input.content,
        });
        const creative = await Creatives.create(
          { advertiserId, name, creativeType, type, auditStatus: 'DRAFT' },
          { transaction: tx },
        );
        const auditStatus = saveAsDraft ? 'DRAFT' : 'PENDING';
        await Revisions.create(
          { ...content, creativeId: creative.id, revision: 1, auditStatus },
          { transaction: tx },
        );
        const { id } = creative;
        await enterReview(deps, tx, {
          type: 'creative',
          id,
          advertiserId,
          saveAsDraft,
          revision: 1,
        });
        return id;
      });
    },

    /**
     * An edit of what is seen makes a new PENDING revision; the approved one serves on (interface 2.5).
     * A draft was seen by nobody and is edited in place. Type and display type never change.
     */
    async updateCreative(
      key: OwnedKey,
      patch: { name?: string | undefined; content: ContentPatch },
    ): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const creative = await Creatives.findOne({
          where: { id: key.id, advertiserId: key.advertiserId },
          transaction: tx,
          lock: tx.LOCK.UPDATE,
        });
        if (creative === null || creative.status === 'ARCHIVED') throw notFound();
        expectVersion(key.ifMatch, creative.version);
        const latest = await Revisions.findOne({
          where: { creativeId: creative.id, revision: creative.latestRevision },
          transaction: tx,
        });
        if (latest === null) throw new Error(`creative ${creative.id} has no revision`);
        const base = contentOf(latest);
        const { creativeType, type } = creative;
        const content = await resolveContent(deps, tx, {
          advertiserId: key.advertiserId,
          creativeType,
          type,
          base,
          patch: patch.content,
        });
        const visible = CONTENT_KEYS.some((field) => content[field] !== base[field]);
        creative.set({ name: patch.name ?? creative.name });
        creative.version += 1;
        if (visible && creative.auditStatus === 'DRAFT') {
          await latest.update(content, { transaction: tx });
        } else if (visible) {
          creative.latestRevision += 1;
          await supersede(deps, tx, { latest, content });
        }
        await creative.save({ transaction: tx });
        if (visible && creative.auditStatus !== 'DRAFT') {
          const { id, latestRevision: revision } = creative;
          const accountId = key.advertiserId;
          await submitReview(deps, tx, { type: 'creative', id, accountId, revision });
        }
        await publishAdvertiser(deps, tx, key.advertiserId);
      });
    },
  };
}

/** A revision that nobody had decided on goes back to a draft: the new one is reviewed instead. */
async function supersede(
  deps: ActivityDeps,
  tx: Transaction,
  { latest, content }: { latest: CreativeRevision; content: CreativeContent },
): Promise<void> {
  const { creativeId, revision } = latest;
  await moveRows(runner(deps.db, tx), creativeRevisions, {
    state: 'auditStatus',
    action: 'supersede',
    where: { creativeId, revision },
  });
  await deps.db.models.creativeRevisions.create(
    { ...content, creativeId, revision: revision + 1, auditStatus: 'PENDING' },
    { transaction: tx },
  );
}

function contentOf(revision: CreativeRevision): CreativeContent {
  const entries = CONTENT_KEYS.map((key) => [key, revision[key]]);
  return Object.fromEntries(entries) as CreativeContent;
}

interface Resolving {
  advertiserId: number;
  creativeType: CreativeType;
  type: DisplayType;
  base: CreativeContent;
  patch: ContentPatch;
}

/** The content as it will stand: checked, owned, and with the size its format or image brings. */
async function resolveContent(
  deps: ActivityDeps,
  tx: Transaction,
  { advertiserId, creativeType, type, base, patch }: Resolving,
): Promise<CreativeContent> {
  const content: CreativeContent = { ...base, ...given(patch) };
  const size = await sizeOf(deps, tx, { advertiserId, base, patch, content });
  refuse([
    ...creativeFaults(creativeType, type, content),
    ...size.faults,
    ...(await referenceFaults(deps, tx, {
      advertiserId,
      references: [
        { field: 'image_media_id', table: 'media', id: patch.imageMediaId, mediaType: 'IMAGE' },
        { field: 'image_media_id_2', table: 'media', id: patch.imageMediaId2, mediaType: 'IMAGE' },
        { field: 'video_media_id', table: 'media', id: patch.videoMediaId, mediaType: 'VIDEO' },
        { field: 'icon_media_id', table: 'media', id: patch.iconMediaId, mediaType: 'IMAGE' },
        { field: 'html5_media_id', table: 'media', id: patch.html5MediaId, mediaType: 'HTML5' },
      ],
    })),
  ]);
  return { ...content, width: size.width, height: size.height };
}

interface Size {
  width: number | null;
  height: number | null;
  faults: FieldError[];
}

/** Said by the caller, else the named size's, else the asset's own. */
async function sizeOf(
  deps: ActivityDeps,
  tx: Transaction,
  {
    advertiserId,
    base,
    patch,
    content,
  }: Omit<Resolving, 'creativeType' | 'type'> & {
    content: CreativeContent;
  },
): Promise<Size> {
  const { adFormats: AdFormat, media: Media } = deps.db.models;
  let source: { width: number | null; height: number | null } = base;
  const faults: FieldError[] = [];
  if (patch.sizeId !== undefined && patch.sizeId !== null) {
    const format = await AdFormat.findByPk(patch.sizeId, { transaction: tx });
    if (format === null) {
      faults.push({ field: 'size_id', code: 'unknown', message: 'There is no such size.' });
    }
    source = format ?? base;
  } else if (content.sizeId === null) {
    const id = patch.html5MediaId ?? patch.videoMediaId ?? patch.imageMediaId ?? null;
    const media =
      id === null ? null : await Media.findOne({ where: { id, advertiserId }, transaction: tx });
    source = media ?? base;
  }
  const said = <Key extends 'width' | 'height'>(key: Key): number | null => {
    const value = patch[key];
    return value === undefined || value === null ? source[key] : value;
  };
  return { width: said('width'), height: said('height'), faults };
}
