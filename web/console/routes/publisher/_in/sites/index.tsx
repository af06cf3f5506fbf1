import { createFileRoute } from '@tanstack/react-router';
import type { Site } from '../../../../../client/routes.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Filters } from '../../../../parts/filters.tsx';
import { ListCsv } from '../../../../parts/list-csv.tsx';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { Page } from '../../../../parts/page.tsx';
import { useFigureZone, useRowFigures } from '../../../../parts/row-figures.tsx';
import {
  asked,
  figureSorts,
  figuresSearch,
  narrowed,
  sortedBy,
} from '../../../../parts/row-figures-search.ts';
import { FiguresControls, FiguresNote } from '../../../../parts/row-figures-controls.tsx';
import { listSearch, oneOf, stated } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { RowLink } from '../../../../parts/row-link.tsx';
import { list } from '../../../../queries/publisher/site.ts';
import { site } from '../../../../texts/site.ts';
import { LIST_FILES } from '../-list-files.ts';
import { ROW_FIGURES } from '../-row-figures.ts';
import { titles } from '../../../../texts/titles.ts';
import { states } from '../../../../texts/states.ts';

type Words = Same<(typeof site)['en']>;

const STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED'] as const;
const REVIEWS = ['PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED'] as const;

const SORTS = [
  'created_at',
  '-created_at',
  'updated_at',
  '-updated_at',
  'name',
  '-name',
  ...figureSorts('publisher'),
] as const;

const COLUMNS: readonly Column<Site, Words>[] = [
  {
    key: 'name',
    title: (t) => t.name,
    sort: 'name',
    cell: ({ id, name, status }) =>
      status === 'ARCHIVED' ? name : <RowLink to={`/publisher/sites/${id}`}>{name}</RowLink>,
  },
  { key: 'domain', title: (t) => t.domainOrPackage, cell: (row) => row.domain ?? row.app_package },
  {
    key: 'verification',
    title: (t) => t.verification,
    cell: (row) => <State state={row.verify_status} />,
  },
  { key: 'review', title: (t) => t.review, cell: (row) => <State state={row.audit_status} /> },
  { key: 'ads', title: (t) => t.ads, cell: (row) => <State state={row.delivery_status} /> },
];

export const Route = createFileRoute('/publisher/_in/sites/')({
  validateSearch: (raw: Record<string, unknown>) => ({
    ...stated({
      ...listSearch(raw),
      ...figuresSearch(raw),
      sort: oneOf(SORTS, raw['sort']),
      status: oneOf(STATUSES, raw['status']),
      audit_status: oneOf(REVIEWS, raw['audit_status']),
    }),
  }),
  loaderDeps: ({ search }) => asked(search),
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(list(deps));
  },
  staticData: { title: (language) => titles[language].site, views: 'sites' },
  component: Sites,
});

function Sites() {
  const t = useTexts(site);
  const s = useTexts(states);
  const search = Route.useSearch();
  const change = useSearchChange();
  const timeZone = useFigureZone(search);
  const rows = narrowed(search);
  const { page: _page, sort, ...filters } = rows;
  const query = list(asked(search, timeZone));
  const of = ROW_FIGURES.site;
  const figures = useRowFigures(of, { query, columns: COLUMNS, search });
  const add = <ButtonLink to="/publisher/sites/new">{t.add}</ButtonLink>;
  return (
    <Page title={t.title} main={add}>
      <Filters
        values={rows}
        filters={[
          { kind: 'text', name: 'keyword', label: t.search },
          { kind: 'choice', name: 'audit_status', label: t.review, options: asOptions(REVIEWS, s) },
          { kind: 'choice', name: 'status', label: t.status, options: asOptions(STATUSES, s) },
        ]}
        onChange={change}
      >
        <FiguresControls of={of} search={search} timeZone={timeZone} onChange={change} />
      </Filters>
      <List
        label={t.title}
        query={query}
        columns={figures.columns}
        texts={t}
        rowKey={({ id }) => id}
        file={<ListCsv query={query} file={{ ...LIST_FILES.site, figures }} />}
        empty={{ title: t.none, next: add }}
        searchEmpty={Object.keys(filters).length > 0 ? { title: t.noneFound } : null}
        sort={{
          by: sort,
          onSort: (by) => change(sortedBy(by, timeZone)),
        }}
        onPage={(page) => change({ page })}
      />
      <FiguresNote of={of} figures={figures} search={search} />
    </Page>
  );
}

const asOptions = <Word extends string>(values: readonly Word[], words: Record<Word, string>) =>
  values.map((value) => ({ value, label: words[value] }));
