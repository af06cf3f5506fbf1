import { Skeleton } from '@mantine/core';
import { common } from '../texts/common.ts';
import { useTexts } from './texts.ts';

/** The room of what is still being read, this many pixels high; said by its name, and not aloud at each read. */
export function Loading({ height }: { height: number }) {
  const t = useTexts(common);
  return <Skeleton height={height} role="progressbar" aria-label={t.loading} />;
}
