import type { AdRow } from '../../db/serving/snapshot-rows.ts';
import { NOBODY, type VastCompanion, type VastSource } from '../../domain/creative/vast.ts';
import { readVast } from '../vast-source.ts';

/** What a creative's row holds for video players, read once per load and not per request. */

/**
 * A stored file, the advertiser's own document, or the address of one. Null when there is nothing to
 * play: no video at all, or a document that was stored before its rules refused it.
 */
export function videoOf(row: AdRow, videoUrl: string | null): VastSource | null {
  if (row.display !== 'VIDEO') return null;
  if (videoUrl !== null) return storedFile(row, videoUrl);
  if (row.vastXml !== null) {
    const reading = readVast(row.vastXml);
    return reading.ok ? reading.source : null;
  }
  if (row.vastUrl === null) return null;
  return { kind: 'wrapper', tagUrl: row.vastUrl, thirdParty: NOBODY };
}

/** A file whose length nobody measured cannot be announced: quartiles are computed from it. */
function storedFile({ video }: AdRow, url: string): VastSource | null {
  if (video === null || video.seconds === null || video.seconds <= 0) return null;
  if (video.width === null || video.height === null) return null;
  return {
    kind: 'inline',
    durationSeconds: video.seconds,
    mediaFiles: [
      {
        url,
        mime: video.mime,
        width: video.width,
        height: video.height,
        bitrateKbps: Math.max(1, Math.round((video.bytes * 8) / 1_000 / video.seconds)),
        codec: null,
      },
    ],
    thirdParty: NOBODY,
  };
}

export function companionOf(row: AdRow, imageUrl: string | null): VastCompanion | null {
  const { image } = row;
  if (row.display !== 'VIDEO' || imageUrl === null || image === null) return null;
  if (image.width === null || image.height === null) return null;
  return { url: imageUrl, mime: image.mime, width: image.width, height: image.height };
}
