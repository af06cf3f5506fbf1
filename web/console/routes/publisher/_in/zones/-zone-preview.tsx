import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { Zone } from '../../../../../client/routes.ts';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Preview } from '../../../../parts/preview.tsx';
import { Section } from '../../../../parts/section.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { preview } from '../../../../queries/publisher/zone.ts';
import { zone } from '../../../../texts/zone.ts';

/** The zone with house ads, each kind of ad in a frame that reaches nothing. */
export function ZonePreview({ row }: { row: Zone }) {
  const t = useTexts(zone);
  const [chosen, setChosen] = useState<string>();
  return (
    <Section title={t.preview} lead={t.previewLead}>
      <Loaded query={preview(row.id)} height={200}>
        {({ frames }) => {
          const shown = frames.find(({ display }) => display === chosen) ?? frames[0];
          return (
            <>
              {frames.length > 1 && (
                <NativeSelect
                  label={t.previewOf}
                  w={220}
                  value={shown?.display ?? ''}
                  onChange={(event) => setChosen(event.currentTarget.value)}
                  data={frames.map(({ display }) => ({
                    value: display,
                    label: wordOf(t.displays, display),
                  }))}
                />
              )}
              {shown !== undefined && (
                <Preview
                  creative={{
                    name: row.name,
                    width: row.width,
                    height: row.height,
                    html_code: shown.html,
                  }}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
