import { Stack, Text, Title } from '@mantine/core';
import { clockTime } from '../../../../../../../domain/creative/vast.ts';
import { useWrite } from '../../../../../api.ts';
import { ActionButton } from '../../../../../parts/action.tsx';
import { OutsideLink } from '../../../../../parts/outside-link.tsx';
import { Preview } from '../../../../../parts/preview.tsx';
import { useTexts } from '../../../../../parts/texts.ts';
import { type FilmChain, fetchFilm } from '../../../../../queries/operator/task.ts';
import { film as filmTexts } from '../../../../../texts/film.ts';
import { fileWords, FilmView } from '../../../../../parts/vast-facts.tsx';

/** A film that another server has: asked for when somebody wishes to see it, and not before. */
export function FilmElsewhere({ taskId, name }: { taskId: number; name: string }) {
  const t = useTexts(filmTexts);
  const { mutateAsync, data: chain } = useWrite(fetchFilm);
  const run = async (): Promise<unknown> => await mutateAsync({ path: { id: taskId } });
  return (
    <Stack gap="xs" align="flex-start">
      <ActionButton action={{ label: t.fetch, run }} size="xs" variant="default" />
      <div role="status">{chain !== undefined && <Text size="sm">{outcomeOf(chain, t)}</Text>}</div>
      {chain !== undefined && <Hops chain={chain} />}
      {chain !== undefined && chain.film !== null && <Film film={chain.film} name={name} />}
    </Stack>
  );
}

type Words = ReturnType<typeof useTexts<(typeof filmTexts)['en']>>;

function outcomeOf({ hops, film }: FilmChain, t: Words): string {
  if (film !== null) return t.found(hops.length);
  return hops.at(-1)?.outcome === 'empty' ? t.noAd : t.notFound;
}

function Hops({ chain }: { chain: FilmChain }) {
  const t = useTexts(filmTexts);
  return (
    <ol aria-label={t.way} style={{ margin: 0, paddingInlineStart: 24 }}>
      {/* An address comes twice where the second is refused as a loop. */}
      {chain.hops.map((hop) => (
        <li key={`${hop.outcome} ${hop.address}`}>
          <OutsideLink url={hop.address} label={t.openElsewhere} />
          <Text size="sm" c="dimmed">
            {hopWords(hop, t)}
          </Text>
        </li>
      ))}
    </ol>
  );
}

function hopWords({ outcome, refusal, detail }: FilmChain['hops'][number], t: Words): string {
  if (refusal !== null) return t.refusal(t.refusals[refusal], detail);
  return outcome === 'film' ? t.isFilm : outcome === 'empty' ? t.empty : t.wrapper;
}

function Film({ film, name }: { film: NonNullable<FilmChain['film']>; name: string }) {
  const t = useTexts(filmTexts);
  const files = film.media_files.map((file) => ({ url: file.url, what: fileWords(file) }));
  const [first] = film.media_files;
  return (
    <Stack gap={4} component="section" aria-label={t.fetched}>
      <Title order={2}>{t.fetched}</Title>
      <Preview
        creative={{
          name,
          width: first?.width ?? null,
          height: first?.height ?? null,
          video_url: first?.url ?? null,
        }}
      />
      <FilmView duration={clockTime(film.duration_seconds)} files={files} />
    </Stack>
  );
}
