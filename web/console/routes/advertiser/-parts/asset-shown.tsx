import { Text } from '@mantine/core';
import { numberFormat } from '../../../parts/formats.ts';
import { usePreferences } from '../../../parts/preferences.tsx';
import { useTexts } from '../../../parts/texts.ts';
import type { Asset } from '../../../queries/advertiser/media.ts';
import { mediaTexts } from '../../../texts/advertiser/media.ts';
import classes from './creatives.module.css';

/** A file, small and without running anything: a picture, a video's first one, or what kind it is. */
export function AssetThumbnail({ asset: { type, url } }: { asset: Asset }) {
  return (
    <span className={classes['thumbnail']} aria-hidden>
      {type === 'IMAGE' && <img src={url} alt="" loading="lazy" />}
      {/* Its head alone is loaded. */}
      {type === 'VIDEO' && <video src={url} preload="metadata" muted tabIndex={-1} />}
      {type === 'HTML5' && <span>HTML5</span>}
    </span>
  );
}

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
