import type { AdRow } from '../../db/serving/snapshot-rows.ts';
import { NOBODY, type VastCompanion, type VastSource } from '../../domain/creative/vast.ts';
import { readVast } from '../../activities/providers/vast-source.ts';

/** What a creative's row holds for video players, read once per load and not per request. */

/**
 * A stored file, the advertiser's own document, or the address of one. Null when there is nothing to
 * play: no video at all, or a document that was stored before its rules refused it.
 */
export function videoOf(row: AdRow, videoUrl: string | null): VastSource | null {
  if (row.creativeType !== 'VIDEO') return null;
  if (videoUrl !== null) return storedFile(row, videoUrl);
  if (row.vastXml !== null) {
    const reading = readVast(row.vastXml);
    return reading.ok ? reading.source : null;
  }
  if (row.vastUrl === null) return null;
  return { kind: 'wrapper', tagUrl: row.vastUrl, thirdParty: NOBODY };
}

/** A file whose length nobody measured cannot be announced: quartiles are computed from it. */
function storedFile(row: AdRow, url: string): VastSource | null {
  const { videoMime, videoWidth, videoHeight, videoBytes, videoDurationS: seconds } = row;
  if (videoMime === null || videoBytes === null) return null;
  if (seconds === null || seconds <= 0) return null;
  if (videoWidth === null || videoHeight === null) return null;
  return {
    kind: 'inline',
    durationSeconds: seconds,
    mediaFiles: [
      {
        url,
        mime: videoMime,
        width: videoWidth,
        height: videoHeight,
        bitrateKbps: Math.max(1, Math.round((videoBytes * 8) / 1_000 / seconds)),
        codec: null,
      },
    ],
    thirdParty: NOBODY,
  };
}

export function companionOf(row: AdRow, imageUrl: string | null): VastCompanion | null {
  const { imageMime, imageWidth, imageHeight } = row;
  if (row.creativeType !== 'VIDEO' || imageUrl === null || imageMime === null) return null;
  if (imageWidth === null || imageHeight === null) return null;
  return { url: imageUrl, mime: imageMime, width: imageWidth, height: imageHeight };
}
