import { Text } from '@mantine/core';
import { numberFormat } from '../../../parts/formats.ts';
import { usePreferences } from '../../../parts/preferences.tsx';
import { useTexts } from '../../../parts/texts.ts';
import type { Asset } from '../../../queries/advertiser/media.ts';
import { mediaTexts } from '../../../texts/advertiser/media.ts';
import { Thumbnail } from './thumbnail.tsx';

/** As a creative made of it is shown. */
export const AssetThumbnail = ({ asset: { type, url } }: { asset: Asset }) => (
  <Thumbnail
    creative={{
      creative_type: type.toLowerCase() as Lowercase<Asset['type']>,
      image_url: type === 'IMAGE' ? url : null,
      video_url: type === 'VIDEO' ? url : null,
    }}
  />
);

/** Its kind, its size on a page and as a file. */
export function AssetFacts({ asset }: { asset: Asset }) {
  const t = useTexts(mediaTexts);
  const { language } = usePreferences();
  const { type, width, height, duration_s: seconds, bytes } = asset;
  const facts = [
    t.kinds[type],
    width === null ? null : `${width} × ${height}`,
    seconds === null ? null : t.seconds(numberFormat(language).format(seconds)),
    fileSizeIn(bytes, language),
  ];
  return (
    <Text size="xs" c="dimmed">
      {facts.filter((fact) => fact !== null).join(' · ')}
    </Text>
  );
}

function fileSizeIn(bytes: number, language: string): string {
  const isLarge = bytes >= 1e6;
  return numberFormat(language, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: 1,
  }).format(bytes / (isLarge ? 1e6 : 1e3));
}
