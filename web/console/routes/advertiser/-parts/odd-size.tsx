import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMarks, useTexts } from '../../../parts/texts.ts';
import { options } from '../../../queries/advertiser/campaign.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';

/**
 * Said as soon as a picture is there, not when it never serves: most places take pictures of exactly their
 * own size. Usual are the formats that the platform offers its publishers.
 */
export function OddSize({ width, height }: { width: number | null; height: number | null }) {
  const t = useTexts(launchTexts);
  const marks = useMarks();
  const { data } = useQuery(options);
  if (data === undefined || width === null || height === null) return null;
  const usual = data.items.filter((format) => format.width !== null && format.height !== null);
  if (usual.some((format) => format.width === width && format.height === height)) return null;
  const banners = usual.filter(({ ad_type: type }) => type === 'BANNER');
  const sizes = banners.map((format) => `${format.width} × ${format.height}`).join(marks.comma);
  return (
    <Text size="sm" role="status">
      {t.oddSize(`${width} × ${height}`, sizes)}
    </Text>
  );
}
