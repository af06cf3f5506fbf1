import type { Transaction } from 'sequelize';
import { inTransaction } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import {
  CREATIVE_CONTENT,
  type CreativeContent,
  type CreativeContentPatch,
  creativeRevisions,
} from '../../db/tables/creative-revision.ts';
import { creatives } from '../../db/tables/creative.ts';
import type { FieldError } from '../../domain/errors.ts';
import { creativeFaults, missingSource } from '../../domain/creative/sources.ts';
import type { CreativeType, DisplayType } from '../../domain/inventory.ts';
import { changesBetween } from '../core/history.ts';
import type { ActivityDeps } from '../deps.ts';
import { submitReview } from '../review/reviews.ts';
import { createRevision, writeRevision } from '../review/revisions.ts';
import { latestRevision } from './creative-source.ts';
import {
  definedOnly,
  enterReview,
  lockRecord,
  publishAdvertiser,
  recordEdit,
  type RecordKey,
  referenceFaults,
  refuse,
} from './inventory-lifecycle.ts';
import { runStep } from '../core/run-once.ts';

type CreativeRevision = RecordOf<'creativeRevisions'>;

export interface NewCreative {
  advertiserId: number;
  name: string;
  creativeType: CreativeType;
  type: DisplayType;
  content: CreativeContentPatch;
  saveAsDraft: boolean;
}

const EMPTY = Object.fromEntries(CREATIVE_CONTENT.map((name) => [name, null])) as CreativeContent;

export function createCreativeActivities(deps: ActivityDeps) {
  const { creatives: Creatives } = deps.db.models;
  return {
    /** Answers the id. Raises 422 with every fault. Without a source it stays a draft. */
    async createCreative(input: NewCreative): Promise<number> {
      return await runStep(deps.db, 'creative.create', async (tx) => {
        const { advertiserId, name, creativeType, type } = input;
        const content = await resolveContent(deps, tx, {
          ...input,
          base: EMPTY,
          patch: input.content,
        });
        const saveAsDraft = input.saveAsDraft || missingSource(creativeType, content).length > 0;
        const creative = await Creatives.create(
          { advertiserId, name, creativeType, type, auditStatus: 'DRAFT' },
          { transaction: tx },
        );
        const auditStatus = saveAsDraft ? 'DRAFT' : 'PENDING';
        const { id } = creative;
        const revision = { type: 'creative', id, revision: 1, auditStatus, content } as const;
        await createRevision(deps, tx, revision);
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
      key: RecordKey,
      patch: { name?: string | undefined; content: CreativeContentPatch },
    ): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const creative = await lockRecord(deps.db, tx, 'creatives', key);
        const latest = await latestRevision(deps.db, tx, creative);
        const base = contentOf(latest);
        const { creativeType, type } = creative;
        const content = await resolveContent(deps, tx, {
          advertiserId: key.advertiserId,
          creativeType,
          type,
          base,
          patch: patch.content,
        });
        if (creative.auditStatus !== 'DRAFT') refuse(missingSource(creativeType, content));
        const visible = CREATIVE_CONTENT.some((field) => content[field] !== base[field]);
        const { name } = creative;
        creative.set({ name: patch.name ?? name });
        const changes = [
          ...changesBetween(creatives, ['name'], { before: { name }, after: creative }),
          ...changesBetween(creativeRevisions, CREATIVE_CONTENT, { before: base, after: content }),
        ];
        creative.version += 1;
        const { id } = creative;
        if (visible) await writeRevision(deps, tx, creative, { type: 'creative', id, content });
        await creative.save({ transaction: tx });
        if (visible && creative.auditStatus !== 'DRAFT') {
          const { latestRevision: revision } = creative;
          const accountId = key.advertiserId;
          await submitReview(deps, tx, { type: 'creative', id, accountId, revision });
        }
        await recordEdit(deps, tx, { ...key, type: 'creative', changes });
        await publishAdvertiser(deps, tx, key.advertiserId);
      });
    },
  };
}

function contentOf(revision: CreativeRevision): CreativeContent {
  const entries = CREATIVE_CONTENT.map((key) => [key, revision[key]]);
  return Object.fromEntries(entries) as CreativeContent;
}

interface Resolving {
  advertiserId: number;
  creativeType: CreativeType;
  type: DisplayType;
  base: CreativeContent;
  patch: CreativeContentPatch;
}

/** The content as it will be stored: checked, of assets of its own, and with the size its format or image brings. */
async function resolveContent(
  deps: ActivityDeps,
  tx: Transaction,
  { advertiserId, creativeType, type, base, patch }: Resolving,
): Promise<CreativeContent> {
  const content: CreativeContent = { ...base, ...definedOnly(patch) };
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
  const chosen = <Key extends 'width' | 'height'>(key: Key): number | null => {
    const value = patch[key];
    return value === undefined || value === null ? source[key] : value;
  };
  return { width: chosen('width'), height: chosen('height'), faults };
}
