import { Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton } from '../../../parts/action.tsx';
import { useMarks, useTexts } from '../../../parts/texts.ts';
import { options } from '../../../queries/advertiser/campaign.ts';
import type { Asset } from '../../../queries/advertiser/media.ts';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';
import { nameOfAsset } from './shown.ts';

/** The sizes of places, to be chosen from: `300x250`. */
export function useSizes(): { value: string; label: string }[] {
  const { data } = useQuery(options);
  const sizes = new Set(
    data?.items.flatMap(({ width, height }) => (width === null ? [] : [`${width}x${height}`])),
  );
  return [...sizes].map((value) => ({ value, label: value.replace('x', ' × ') }));
}

/** A zip whose page does not say its size: asked before anything is made of it. */
export function ZipSize({
  asset,
  route,
  send,
}: {
  asset: Asset;
  route: string;
  send: (size: string | null) => Promise<unknown>;
}) {
  const t = useTexts(creativeTexts);
  const { open, close } = useMarks();
  const data = useSizes();
  const [size, setSize] = useState<string | null>(null);
  return (
    <Group gap="xs" align="flex-end">
      <Select
        size="sm"
        label={`${t.size}${open}${nameOfAsset(asset)}${close}`}
        placeholder={t.anySize}
        data={data}
        value={size}
        onChange={setSize}
        clearable
      />
      <ActionButton
        variant="default"
        action={{ label: t.submit, route, run: async () => await send(size) }}
      />
    </Group>
  );
}
