import { Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Loading } from '../../../parts/loading.tsx';
import { ASSET_SOURCES, ASSET_TYPES } from '../../../../../domain/inventory.ts';
import { Failed } from '../../../parts/failed.tsx';
import { Filters } from '../../../parts/filters.tsx';
import type { Column } from '../../../parts/list-page.tsx';
import { Page } from '../../../parts/page.tsx';
import { numberOf, oneOf, stated, textOf } from '../../../parts/search.ts';
import { useSearchChange } from '../../../parts/search-change.ts';
import { SortChoice } from '../../../parts/sort-choice.tsx';
import { type Same, useTexts } from '../../../parts/texts.ts';
import { type Asset, list, UPLOAD } from '../../../queries/advertiser/media.ts';
import { mediaTexts } from '../../../texts/advertiser/media.ts';
import { titles } from '../../../texts/titles.ts';
import { AssetFacts } from '../-parts/asset-shown.tsx';
import { MediaCards } from '../-parts/media-cards.tsx';
import { UploadMany } from '../-parts/upload-many.tsx';

/** A card shows them in its own way; here they are orders alone. */
const ORDERS: readonly Column<Asset, Same<(typeof mediaTexts)['en']>>[] = [
  { key: 'name', sort: 'name', title: (t) => t.name, cell: ({ name }) => name },
  {
    key: 'bytes',
    sort: 'bytes',
    isNumber: true,
    title: (t) => t.bytes,
    cell: ({ bytes }) => bytes,
  },
];

export const Route = createFileRoute('/advertiser/_in/media')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      keyword: textOf(raw['keyword']),
      sort: oneOf(['name', '-name', 'bytes', '-bytes'] as const, raw['sort']),
      type: oneOf(ASSET_TYPES, raw['type']),
      source: oneOf(ASSET_SOURCES, raw['source']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(list(deps));
  },
  staticData: { title: (language) => titles[language].media },
  component: Media,
});

function Media() {
  const t = useTexts(mediaTexts);
  const search = Route.useSearch();
  const change = useSearchChange();
  return (
    <Page title={t.title} lead={t.lead}>
      <UploadMany
        label={t.upload}
        route={UPLOAD}
        send={async (asset) => await Promise.resolve(asset)}
      >
        {(asset) => (
          <>
            <Text span size="sm">
              {t.inLibrary}
            </Text>
            <AssetFacts asset={asset} />
          </>
        )}
      </UploadMany>
      <Filters
        values={search}
        filters={[
          { kind: 'text', name: 'keyword', label: t.name },
          {
            kind: 'choice',
            name: 'type',
            label: t.kind,
            options: ASSET_TYPES.map((value) => ({ value, label: t.kinds[value] })),
          },
          {
            kind: 'choice',
            name: 'source',
            label: t.source,
            options: ASSET_SOURCES.map((value) => ({ value, label: t.sources[value] })),
          },
        ]}
        onChange={change}
      >
        <SortChoice
          columns={ORDERS}
          texts={t}
          by={search.sort}
          onSort={(sort) => change({ sort })}
        />
      </Filters>
      <Files />
    </Page>
  );
}

function Files() {
  const t = useTexts(mediaTexts);
  const search = Route.useSearch();
  const change = useSearchChange();
  const { page: _page, sort: _sort, ...filters } = search;
  const { data, error, refetch } = useQuery({ ...list(search), placeholderData: keepPreviousData });
  if (error !== null && data === undefined) {
    return <Failed error={error} again={() => void refetch()} />;
  }
  if (data === undefined) return <Loading height={240} />;
  if (data.items.length === 0 && data.total === 0) {
    const isFiltered = Object.keys(filters).length > 0;
    return (
      <Stack align="center" py="xl">
        <Text fw={600}>{isFiltered ? t.noneFound : t.none}</Text>
        {!isFiltered && <Text c="dimmed">{t.noneNext}</Text>}
      </Stack>
    );
  }
  return <MediaCards page={data} onPage={(page) => change({ page })} />;
}
