import { Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { CopyCode } from '../../../../../parts/copy-code.tsx';
import { Diff } from '../../../../../parts/diff.tsx';
import { Enlarge } from '../../../../../parts/enlarge.tsx';
import { Facts } from '../../../../../parts/facts.tsx';
import { OutsideLink } from '../../../../../parts/outside-link.tsx';
import { Preview } from '../../../../../parts/preview.tsx';
import { useTexts } from '../../../../../parts/texts.ts';
import { nextDocument, ownFilm, VastView } from '../../../../../parts/vast-facts.tsx';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { film } from '../../../../../texts/film.ts';
import { subject } from '../../../../../texts/subject.ts';
import { useKindWords } from '../../-shown/kind-words.ts';
import { FilmElsewhere } from './film-elsewhere.tsx';

type Detail = TaskPage['detail'];
type Revision = NonNullable<Detail['revision']>;

/** What a viewer would see, with what served before beside it. */
export function CreativeView({ detail, taskId }: { detail: Detail; taskId: number | null }) {
  const t = useTexts(subject);
  const kinds = useKindWords();
  const filmOf = useTexts(film);
  const { creative, revision, revision_before: before, changes } = detail;
  if (creative === null || revision === null) return <Text c="dimmed">{t.gone}</Text>;
  const f = t.fields;
  const isWordless = creative.type === 'TEXT' && detail.ad === null;
  return (
    <Stack gap="md">
      {isWordless && <Text size="sm">{t.wordsOfAds}</Text>}
      <SimpleGrid cols={{ base: 1, lg: before === null ? 1 : 2 }}>
        <Shown
          title={revision.is_serving ? t.serving : t.proposed}
          revision={revision}
          name={creative.name}
        />
        {before !== null && (
          <Shown
            title={before.is_serving ? t.serving : t.before}
            revision={before}
            name={creative.name}
          />
        )}
      </SimpleGrid>
      {before === null ? (
        <Text size="sm" c="dimmed">
          {t.firstRevision}
        </Text>
      ) : (
        <Stack gap={4}>
          <Title order={2}>{t.changes}</Title>
          <Diff changes={changes} names={f} />
        </Stack>
      )}
      <Facts
        rows={[
          [f.creative_type, kinds.creative(creative.creative_type)],
          [f.size, sizeOf(revision)],
          [f.click_url, <OutsideLink key="c" url={revision.click_url} label={t.openElsewhere} />],
        ]}
      />
      <VastView sources={revision} lead={filmOf.elsewhere} />
      {taskId !== null && nextDocument(revision) !== null && (
        <FilmElsewhere taskId={taskId} name={creative.name} />
      )}
      {revision.html_code !== null && revision.html_code !== '' && (
        <CopyCode label={t.code} code={revision.html_code} />
      )}
      {revision.vast_xml !== null && revision.vast_xml !== '' && (
        <CopyCode label={t.vast} code={revision.vast_xml} />
      )}
    </Stack>
  );
}

function Shown({ title, revision, name }: { title: string; revision: Revision; name: string }) {
  const t = useTexts(subject);
  const video_url = revision.video_url ?? ownFilm(revision.vast_xml);
  const pictures = [
    ['image_media_id', revision.image_url],
    ['image_media_id_2', revision.image_url_2],
    ['icon_media_id', revision.icon_url],
  ] as const;
  return (
    <Stack gap={4}>
      <Text fw={600} size="sm">
        {title} · {t.revision(revision.revision)}
      </Text>
      <Preview creative={{ ...revision, video_url, vast_url: null, name }} />
      <Group gap="xs">
        {pictures.map(
          ([field, url]) =>
            url !== null && <Enlarge key={field} name={`${t.fields[field]} · ${name}`} url={url} />,
        )}
      </Group>
    </Stack>
  );
}

const sizeOf = ({ width, height }: Revision): string | null =>
  width === null || height === null ? null : `${width} × ${height}`;
