import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Transaction } from 'sequelize';
import { bundlePath, mediaPath } from '../../db/files/media-store.ts';
import { oneAtATime } from '../../db/one-at-a-time.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import type { Finding } from '../../domain/review-findings.ts';
import { conflict, DomainError, notFound } from '../../domain/errors.ts';
import type { ActivityDeps } from '../deps.ts';
import type { OwnedKey } from './inventory-lifecycle.ts';
import { HTML5_ZIP_BYTES_MAX, readHtml5Zip, sniffZip } from '../providers/html5-zip.ts';
import { IMAGE_BYTES_MAX, reencodeImage, sniffImage } from '../providers/image-codec.ts';
import { probeVideo, sniffVideo, type VideoFormat } from '../providers/video-probe.ts';

export type MediaType = 'IMAGE' | 'VIDEO' | 'HTML5';

export interface NewUpload {
  advertiserId: number;
  /** Lies in the media store's `incoming`; a video is moved from there. */
  path: string;
  name: string | null;
  /** What this route takes; anything else is unsupported_media. */
  types: readonly MediaType[];
}

export interface StoredMedia {
  id: number;
  /** False when this account had uploaded the same bytes before. */
  created: boolean;
}

/** An asset whose bytes are durable already, on its way to its row. */
export interface Asset {
  type: MediaType;
  mime: string;
  width: number | null;
  height: number | null;
  durationS: number | null;
  bytes: number;
  path: string;
  findings: Finding[];
}

interface Owner {
  advertiserId: number;
  name: string | null;
  /** Of the bytes as they came, hex. */
  sha256: string;
  source: 'UPLOAD' | 'AI';
}

/**
 * Files that are decoded, probed or unpacked at once. Each may take a processor for seconds and tens
 * of megabytes, so the next ones wait, whoever sends how many.
 */
const LANES = 3;

export function createMediaActivities(deps: ActivityDeps) {
  const { db, providers } = deps;
  const { mediaStore } = providers;
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
      const owner: Owner = { ...input, sha256, source: 'UPLOAD' };
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
    async archiveMedia({ id, advertiserId }: OwnedKey): Promise<void> {
      await inTransaction(db, async (tx) => {
        const sql = runner(db, tx);
        // A creative that is being written holds a share lock on what it names (activities/inventory/inventory-lifecycle.ts).
        const { rows } = await sql.query(
          `SELECT id FROM media WHERE id = $1 AND advertiser_id = $2 AND status = 'ACTIVE' FOR UPDATE`,
          [id, advertiserId],
        );
        if (rows.length === 0) throw notFound();
        const shown = await sql.query<{ id: string }>(SHOWN_BY_SQL, [id, advertiserId]);
        const [creative] = shown.rows;
        if (creative !== undefined) {
          const creativeId = Number(creative.id);
          throw conflict(`Creative ${creativeId} shows it.`, { creative_id: creativeId });
        }
        await sql.query(`UPDATE media SET status = 'ARCHIVED' WHERE id = $1 RETURNING id`, [id]);
      });
    },
  };
}

/** The latest revision is what its owner sees, the approved one is what serves. */
const SHOWN_BY_SQL = `
  SELECT c.id FROM creative_revisions r JOIN creatives c ON c.id = r.creative_id
  WHERE ARRAY[r.image_media_id, r.image_media_id_2, r.video_media_id, r.icon_media_id, r.html5_media_id]
      @> ARRAY[$1::bigint]
    AND c.advertiser_id = $2 AND c.status <> 'ARCHIVED'
    AND r.revision IN (c.latest_revision, c.approved_revision)
  ORDER BY c.id LIMIT 1`;

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

const TAKEN: Readonly<Record<MediaType, string>> = {
  IMAGE: 'an image (jpeg, png, gif, webp or avif)',
  VIDEO: 'a video (mp4 or webm)',
  HTML5: 'an HTML5 creative (zip)',
};

const unknownKind = (types: readonly MediaType[]): DomainError =>
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
    if ((await handle.stat()).size > bytesMax) throw new DomainError('too_large');
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
  { advertiserId, sha256 }: Owner,
): Promise<StoredMedia | undefined> {
  const { rows } = await runner(deps.db, tx).query<{ id: string; was: string }>(
    `WITH known AS (SELECT id, status FROM media WHERE advertiser_id = $1 AND sha256 = $2 FOR UPDATE)
     UPDATE media SET status = 'ACTIVE' FROM known WHERE media.id = known.id
     RETURNING media.id, known.status AS was`,
    [advertiserId, sha256],
  );
  const [row] = rows;
  return row === undefined ? undefined : { id: Number(row.id), created: row.was === 'ARCHIVED' };
}

/** Answers the row of the same bytes when there is one by now; then `asset.path` is the caller's to remove. */
export async function insertMedia(
  deps: ActivityDeps,
  tx: Transaction,
  owner: Owner,
  asset: Asset,
): Promise<StoredMedia> {
  const { rows } = await runner(deps.db, tx).query<{ id: string }>(
    `INSERT INTO media (advertiser_id, type, name, mime, width, height, duration_s, bytes, sha256, path, source, findings)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     ON CONFLICT (advertiser_id, sha256) DO NOTHING RETURNING id`,
    [
      owner.advertiserId,
      asset.type,
      owner.name,
      asset.mime,
      asset.width,
      asset.height,
      asset.durationS,
      asset.bytes,
      owner.sha256,
      asset.path,
      owner.source,
      JSON.stringify(asset.findings),
    ],
  );
  if (rows[0] !== undefined) return { id: Number(rows[0].id), created: true };
  const known = await revive(deps, tx, owner);
  if (known === undefined) throw new Error('media row vanished');
  return { id: known.id, created: false };
}
