import { createHash, randomBytes } from 'node:crypto';
import { mediaPath } from '../db/media-store.ts';
import { inTransaction, runner } from '../db/postgres.ts';
import type { ActivityDeps } from './deps.ts';
import { reencodeImage } from './providers/image-codec.ts';

export interface NewImage {
  advertiserId: number;
  bytes: Buffer;
  name: string | null;
}

export interface StoredMedia {
  id: number;
  /** False when this account had uploaded the same bytes before. */
  created: boolean;
}

export function createMediaActivities({ db, providers }: ActivityDeps) {
  const { mediaStore } = providers;
  const findByHash = async (advertiserId: number, sha256: string): Promise<number | undefined> => {
    const { rows } = await runner(db).query<{ id: string }>(
      `SELECT id FROM media WHERE advertiser_id = $1 AND sha256 = $2 AND status = 'ACTIVE'`,
      [advertiserId, sha256],
    );
    return rows[0] === undefined ? undefined : Number(rows[0].id);
  };
  return {
    /**
     * Same bytes from one account are one asset (decisions 4), so this may be repeated. The hash is
     * of what was sent; what is kept is encoded anew. The file is durable before its row exists.
     * Raises too_large and unsupported_media, and stores nothing then.
     */
    async storeImage(input: NewImage): Promise<StoredMedia> {
      const { advertiserId, bytes, name } = input;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const known = await findByHash(advertiserId, sha256);
      if (known !== undefined) return { id: known, created: false };

      const image = await reencodeImage(bytes);
      const file = mediaPath(randomBytes(16).toString('hex'), image.extension);
      await mediaStore.put(file, image.bytes);
      const { mime, width, height } = image;
      const inserted = await inTransaction(db, async (tx) => {
        const { rows } = await runner(db, tx).query<{ id: string }>(
          `INSERT INTO media (advertiser_id, type, name, mime, width, height, bytes, sha256, path)
           VALUES ($1, 'IMAGE', $2, $3, $4, $5, $6, $7, $8)
           ON CONFLICT (advertiser_id, sha256) DO NOTHING RETURNING id`,
          [advertiserId, name, mime, width, height, image.bytes.length, sha256, file],
        );
        return rows[0];
      });
      if (inserted !== undefined) return { id: Number(inserted.id), created: true };
      // The same upload in parallel was faster; its file is the one that stays.
      await mediaStore.remove(file);
      const winner = await findByHash(advertiserId, sha256);
      if (winner === undefined) throw new Error('media row vanished');
      return { id: winner, created: false };
    },
  };
}
