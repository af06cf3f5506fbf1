import type { MediaRow } from '../../db/queries/inventory-rows.ts';
import { mediaUrl } from '../../db/media-store.ts';

/** decisions 2. `sha256` is of the bytes that were uploaded, `bytes` of what is served. */
export function presentMedia(row: MediaRow, cdnUrl: string) {
  return {
    id: Number(row.id),
    type: row.type,
    name: row.name,
    url: mediaUrl(cdnUrl, row.path),
    mime: row.mime,
    width: row.width,
    height: row.height,
    duration_s: row.duration_s === null ? null : Number(row.duration_s),
    bytes: Number(row.bytes),
    sha256: row.sha256,
    source: row.source,
    created_at: row.created_at.toISOString(),
  };
}
