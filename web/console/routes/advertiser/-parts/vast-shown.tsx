import { Stack } from '@mantine/core';
import { Preview, type Previewed } from '../../../parts/preview.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { ownFilm, type Sources, VastView } from '../../../parts/vast-facts.tsx';
import { film } from '../../../texts/film.ts';

/** The film, where the document names it; else who has it. */
export function VastShown({ creative }: { creative: Previewed & Sources }) {
  const t = useTexts(film);
  return (
    <Stack gap="xs">
      <Preview creative={{ ...creative, vast_url: null, video_url: ownFilm(creative.vast_xml) }} />
      <VastView sources={creative} lead={t.elsewhereOwn} />
    </Stack>
  );
}
