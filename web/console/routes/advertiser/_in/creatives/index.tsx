import { Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Loading } from '../../../../parts/loading.tsx';
import type { Creative } from '../../../../../client/routes.ts';
import { CREATIVE_TYPES } from '../../../../../../domain/inventory.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Failed } from '../../../../parts/failed.tsx';
import { Filters } from '../../../../parts/filters.tsx';
import { ListCsv } from '../../../../parts/list-csv.tsx';
import type { Column } from '../../../../parts/list-page.tsx';
import { Page } from '../../../../parts/page.tsx';
import { FiguresControls, FiguresNote } from '../../../../parts/row-figures-controls.tsx';
import {
  asked,
  figureSorts,
  figuresSearch,
  narrowed,
  sortedBy,
} from '../../../../parts/row-figures-search.ts';
import { type ShownFigures, useFigureZone, useRowFigures } from '../../../../parts/row-figures.tsx';
import { numberOf, oneOf, stated, textOf } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { SortChoice } from '../../../../parts/sort-choice.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { byName, useChoice } from '../../../../parts/use-choice.ts';
import { list } from '../../../../queries/advertiser/creative.ts';
import { creativeTexts } from '../../../../texts/advertiser/creative.ts';
import { titles } from '../../../../texts/titles.ts';
import { BatchUpload } from '../../-parts/batch-upload.tsx';
import { CreativeCards } from '../../-parts/creative-cards.tsx';
import { InventoryBulk } from '../../-parts/inventory-bulk.tsx';
import { AUDITS, STATUSES } from '../../-parts/inventory-states.ts';
import { LIST_FILES } from '../../-parts/list-files.ts';
import { ROW_FIGURES } from '../../-parts/row-figures.ts';
import { useStateFilters } from '../../-parts/state-filters.ts';

type Words = Same<(typeof creativeTexts)['en']>;

/** A card shows them in its own way; here they are orders alone. */
const OWN: readonly Column<Creative, Words>[] = [
  { key: 'name', sort: 'name', title: (t) => t.name, cell: ({ name }) => name },
];

export const Route = createFileRoute('/advertiser/_in/creatives/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      ...figuresSearch(raw),
      page: numberOf(raw['page']),
      keyword: textOf(raw['keyword']),
      sort: oneOf(['name', '-name', ...figureSorts('advertiser')], raw['sort']),
      status: oneOf(STATUSES, raw['status']),
      audit_status: oneOf(AUDITS, raw['audit_status']),
      creative_type: oneOf(CREATIVE_TYPES, raw['creative_type']),
    }),
  loaderDeps: ({ search }) => asked(search),
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(list(deps));
  },
  staticData: { title: (language) => titles[language].creative, views: 'creatives' },
  component: Creatives,
});

function Creatives() {
  const t = useTexts(creativeTexts);
  const stateFilters = useStateFilters();
  const search = Route.useSearch();
  const change = useSearchChange();
  const timeZone = useFigureZone(search);
  const rows = narrowed(search);
  const query = list(asked(search, timeZone));
  const of = ROW_FIGURES.creative;
  const figures = useRowFigures(of, { query, columns: OWN, search });
  return (
    <Page
      title={t.title}
      lead={t.lead}
      main={
        <>
          <ButtonLink to="/advertiser/creatives/generate" variant="default">
            {t.generate}
          </ButtonLink>
          <ButtonLink to="/advertiser/creatives/new" variant="default">
            {t.newText}
          </ButtonLink>
        </>
      }
    >
      <BatchUpload />
      <Filters
        values={rows}
        filters={[
          { kind: 'text', name: 'keyword', label: t.name },
          ...stateFilters,
          {
            kind: 'choice',
            name: 'creative_type',
            label: t.type,
            options: CREATIVE_TYPES.map((value) => ({ value, label: t.kinds[value] })),
          },
        ]}
        onChange={change}
      >
        <SortChoice
          columns={figures.columns}
          texts={t}
          by={search.sort}
          onSort={(by) => change(sortedBy(by, timeZone))}
        />
        <FiguresControls of={of} search={search} timeZone={timeZone} onChange={change} />
      </Filters>
      <Grid {...{ query, figures, rows, change }} />
      <FiguresNote of={of} figures={figures} search={search} />
    </Page>
  );
}

function Grid(props: {
  query: ReturnType<typeof list>;
  figures: ShownFigures<Creative, Words>;
  rows: { page?: number; sort?: string };
  change: ReturnType<typeof useSearchChange>;
}) {
  const { query, figures, rows, change } = props;
  const t = useTexts(creativeTexts);
  const { page: _page, sort: _sort, ...filters } = rows;
  const choice = useChoice<Creative>(query.queryKey, byName);
  const { data, error, refetch } = useQuery({ ...query, placeholderData: keepPreviousData });
  if (error !== null && data === undefined) {
    return <Failed error={error} again={() => void refetch()} />;
  }
  if (data === undefined) return <Loading height={240} />;
  if (data.items.length === 0) {
    const isFiltered = Object.keys(filters).length > 0;
    return (
      <Stack align="center" py="xl">
        <Text fw={600}>{isFiltered ? t.noneFound : t.none}</Text>
        {!isFiltered && <Text c="dimmed">{t.noneNext}</Text>}
      </Stack>
    );
  }
  return (
    <>
      <CreativeCards
        page={data}
        file={<ListCsv query={query} file={{ ...LIST_FILES.creative, figures }} />}
        figures={figures.columns.slice(OWN.length) as readonly Column<Creative, unknown>[]}
        choice={choice}
        onPage={(page) => change({ page })}
      />
      <InventoryBulk level="creative" {...choice} />
    </>
  );
}
