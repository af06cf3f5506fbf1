import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Transaction } from 'sequelize';
import { bundlePath, mediaPath } from '../../db/files/media-store.ts';
import { oneAtATime } from '../../db/one-at-a-time.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import { recordOwn } from '../core/history.ts';
import { moveRecord } from '../core/move-record.ts';
import { showing } from '../../db/queries/media-showing.ts';
import { readRow, select } from '../../db/schema/selection.ts';
import { creatives } from '../../db/tables/creative.ts';
import type { MediaRow } from '../../db/tables/media.ts';
import { conflict, DomainError, fileTooLarge, notFound } from '../../domain/errors.ts';
import type { AssetType } from '../../domain/inventory.ts';
import type { ActivityDeps } from '../deps.ts';
import type { RecordKey } from './inventory-lifecycle.ts';
import { HTML5_ZIP_BYTES_MAX, readHtml5Zip, sniffZip } from '../providers/html5-zip.ts';
import { IMAGE_BYTES_MAX, reencodeImage, sniffImage } from '../providers/image-codec.ts';
import { probeVideo, sniffVideo, type VideoFormat } from '../providers/video-probe.ts';

export interface NewUpload {
  advertiserId: number;
  /** Lies in the media store's `incoming`; a video is moved from there. */
  path: string;
  name: string | null;
  /** What this route takes; anything else is unsupported_media. */
  types: readonly AssetType[];
}

export interface StoredMedia {
  id: number;
  /** False when this account had uploaded the same bytes before. */
  created: boolean;
}

/** An asset whose bytes are durable already, on its way to its row. */
export type Asset = Pick<
  MediaRow,
  'type' | 'mime' | 'width' | 'height' | 'durationS' | 'bytes' | 'path' | 'findings'
>;

/** Whose it is; `sha256` is of the bytes as they came. */
type Ownership = Pick<MediaRow, 'advertiserId' | 'name' | 'sha256' | 'source'>;

/**
 * Files that are decoded, probed or unpacked at once. Each may take a processor for seconds and tens
 * of megabytes, so the next ones wait, whoever sends how many.
 */
const LANES = 3;

export function createMediaActivities(deps: ActivityDeps) {
  const { db, providers } = deps;
  const { mediaStore } = providers;
  const { media: Media } = db.models;
  const lanes = Array.from({ length: LANES }, () => oneAtATime());
  let turn = 0;
  const inLane = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    turn += 1;
    const lane = lanes[turn % LANES];
    return lane === undefined ? await run() : await lane(run);
  };
  return {
    /**
     * One file, whose kind is read from its content. The same bytes from one account are one asset
     * (interface 2.5), so this may be repeated; bytes that were deleted come back as the asset they
     * were. Raises too_large, unsupported_media and validation_failed, and stores nothing then.
     */
    async storeUpload(input: NewUpload): Promise<StoredMedia> {
      const kind = await kindOf(input.path);
      if (kind === undefined || !input.types.includes(kind.type)) throw unknownKind(input.types);
      const sha256 = await hashOf(input.path);
      const owner: Ownership = { ...input, sha256, source: 'UPLOAD' };
      const known = await inTransaction(db, async (tx) => await revive(deps, tx, owner));
      if (known !== undefined) return known;
      const asset = await inLane(async () => await keep(deps, input.path, kind));
      const stored = await inTransaction(
        db,
        async (tx) => await insertMedia(deps, tx, owner, asset),
      );
      // The same upload in parallel was faster; its file is the one that stays.
      if (!stored.created) await mediaStore.remove(asset.path);
      return stored;
    },

    /**
     * Takes an asset out of the library. Refused while a live creative shows it. Its bytes stay:
     * revisions that were shown, and the reviews of them, refer to them.
     */
    async archiveMedia({ id, advertiserId }: RecordKey): Promise<void> {
      await inTransaction(db, async (tx) => {
        // A creative that is being written holds a share lock on what it names (inventory-lifecycle.ts).
        const record = await Media.findOne({
          where: { id, advertiserId, status: 'ACTIVE' },
          transaction: tx,
          lock: tx.LOCK.UPDATE,
        });
        if (record === null) throw notFound();
        const creative = await readRow(runner(db, tx), SHOWN_BY, SHOWN_BY_SQL, [id, advertiserId]);
        if (creative !== undefined) {
          throw conflict(`Creative ${creative.id} shows it.`, { creative_id: creative.id });
        }
        await moveRecord(db, tx, 'media', { record, state: 'status', action: 'archive' });
        const subject = { type: 'media', id };
        await recordOwn(db, tx, { accountId: advertiserId, action: 'media.archive', subject });
      });
    },
  };
}

const SHOWN_BY = select({ id: creatives.columns.id.of('c.id') });
const SHOWN_BY_SQL = `SELECT ${SHOWN_BY.list} FROM ${showing('$1::bigint', '$2')} ORDER BY c.id LIMIT 1`;

type Kind = { type: 'IMAGE' | 'HTML5' } | { type: 'VIDEO'; format: VideoFormat };

const HEAD_BYTES = 64;

async function kindOf(file: string): Promise<Kind | undefined> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.subarray(0, bytesRead);
    if (sniffImage(head) !== undefined) return { type: 'IMAGE' };
    if (sniffZip(head)) return { type: 'HTML5' };
    const format = sniffVideo(head);
    return format === undefined ? undefined : { type: 'VIDEO', format };
  } finally {
    await handle.close();
  }
}

const TAKEN: Readonly<Record<AssetType, string>> = {
  IMAGE: 'an image (jpeg, png, gif, webp or avif)',
  VIDEO: 'a video (mp4 or webm)',
  HTML5: 'an HTML5 creative (zip)',
};

const unknownKind = (types: readonly AssetType[]): DomainError =>
  new DomainError('unsupported_media', {
    message: `The file is not ${types.map((type) => TAKEN[type]).join(', nor ')}.`,
  });

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Checks the file and makes what is kept of it durable. */
async function keep(deps: ActivityDeps, file: string, kind: Kind): Promise<Asset> {
  switch (kind.type) {
    case 'IMAGE':
      return await keepImage(deps, await readUpTo(file, IMAGE_BYTES_MAX));
    case 'HTML5':
      return await keepHtml5(deps, await readUpTo(file, HTML5_ZIP_BYTES_MAX));
    case 'VIDEO':
      return await keepVideo(deps, file, kind.format);
  }
}

async function readUpTo(file: string, bytesMax: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    if ((await handle.stat()).size > bytesMax) throw fileTooLarge(bytesMax);
    return await readFile(handle);
  } finally {
    await handle.close();
  }
}

const newName = (): string => randomBytes(16).toString('hex');

/** The hash of an image is of what came; what is kept is encoded anew. */
export async function keepImage(deps: ActivityDeps, bytes: Buffer): Promise<Asset> {
  const image = await reencodeImage(bytes);
  const path = mediaPath(newName(), image.extension);
  await deps.providers.mediaStore.put(path, image.bytes);
  const { mime, width, height } = image;
  const length = image.bytes.length;
  return { type: 'IMAGE', mime, width, height, durationS: null, bytes: length, path, findings: [] };
}

/** Raises before it moves the file. */
export async function keepVideo(
  deps: ActivityDeps,
  file: string,
  format: VideoFormat,
): Promise<Asset> {
  const { mime, width, height, durationS, bytes } = await probeVideo(file, format);
  const path = mediaPath(newName(), format);
  await deps.providers.mediaStore.adopt(path, file);
  return { type: 'VIDEO', mime, width, height, durationS, bytes, path, findings: [] };
}

async function keepHtml5(deps: ActivityDeps, zip: Buffer): Promise<Asset> {
  const { files, bytes, width, height, findings } = await readHtml5Zip(zip);
  const folder = bundlePath(newName());
  await deps.providers.mediaStore.putBundle(folder, files);
  const path = `${folder}/index.html`;
  return {
    type: 'HTML5',
    mime: 'text/html',
    width,
    height,
    durationS: null,
    bytes,
    path,
    findings,
  };
}

/** The asset that these bytes already are; one that was deleted is in the library again. */
async function revive(
  deps: ActivityDeps,
  tx: Transaction,
  { advertiserId, sha256 }: Ownership,
): Promise<StoredMedia | undefined> {
  const record = await deps.db.models.media.findOne({
    where: { advertiserId, sha256 },
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  if (record === null) return undefined;
  const created = record.status === 'ARCHIVED';
  if (created) {
    await moveRecord(deps.db, tx, 'media', { record, state: 'status', action: 'restore' });
  }
  return { id: record.id, created };
}

/** Answers the row of the same bytes when there is one by now; then `asset.path` is the caller's to remove. */
export async function insertMedia(
  deps: ActivityDeps,
  tx: Transaction,
  owner: Ownership,
  asset: Asset,
): Promise<StoredMedia> {
  const { advertiserId, name, sha256, source } = owner;
  const [written] = await deps.db.models.media.bulkCreate(
    [{ ...asset, advertiserId, name, sha256, source }],
    { ignoreDuplicates: true, returning: ['id'], transaction: tx },
  );
  // None is answered when these bytes are a row already.
  const id: unknown = written?.get('id');
  if (typeof id === 'number') return { id, created: true };
  const known = await revive(deps, tx, owner);
  if (known === undefined) throw new Error('media row vanished');
  return { id: known.id, created: false };
}
