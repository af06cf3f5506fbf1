import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { Zone } from '../../../../../client/routes.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Pick } from '../../../../parts/pick.tsx';
import { Filters, type OwnField } from '../../../../parts/filters.tsx';
import { ListCsv } from '../../../../parts/list-csv.tsx';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
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
import { listSearch, numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { byName, useChoice } from '../../../../parts/use-choice.ts';
import { RowLink } from '../../../../parts/row-link.tsx';
import { sitePick } from '../../../../queries/publisher/picks.ts';
import { list as listSites, one as siteOf } from '../../../../queries/publisher/site.ts';
import { list } from '../../../../queries/publisher/zone.ts';
import { common } from '../../../../texts/common.ts';
import { states } from '../../../../texts/states.ts';
import { zone } from '../../../../texts/zone.ts';
import { LIST_FILES } from '../-list-files.ts';
import { ROW_FIGURES } from '../-row-figures.ts';
import { titles } from '../../../../texts/titles.ts';
import { ZoneBulk } from './-zone-bulk.tsx';
import { TYPES } from './-zone-types.ts';
import { sizeOf } from './-zone-values.ts';

type Words = Same<(typeof zone)['en']>;

const STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED'] as const;
const SITES = listSites({ page_size: 100 });

const SORTS = [
  'created_at',
  '-created_at',
  'name',
  '-name',
  'floor_price_cpm',
  '-floor_price_cpm',
  ...figureSorts('publisher'),
] as const;

const COLUMNS: readonly Column<Zone, Words>[] = [
  {
    key: 'name',
    title: (t) => t.name,
    sort: 'name',
    cell: ({ id, name, status }) =>
      status === 'ARCHIVED' ? name : <RowLink to={`/publisher/zones/${id}`}>{name}</RowLink>,
  },
  { key: 'site', title: (t) => t.site, cell: (row) => <SiteName id={row.site_id} /> },
  {
    key: 'type',
    title: (t) => t.type,
    cell: (row, t) => <span className="words">{t.types[row.type].name}</span>,
  },
  {
    key: 'size',
    title: (t) => t.size,
    cell: (row) => <span className="words">{sizeOf(row) ?? '—'}</span>,
  },
  {
    key: 'floor',
    title: (t) => t.floorShort,
    sort: 'floor_price_cpm',
    isNumber: true,
    cell: (row) => <Money amount={row.floor_price_cpm} />,
  },
  { key: 'status', title: (t) => t.status, cell: (row) => <State state={row.status} /> },
  { key: 'ads', title: (t) => t.ads, cell: (row) => <State state={row.delivery_status} /> },
];

export const Route = createFileRoute('/publisher/_in/zones/')({
  validateSearch: (raw: Record<string, unknown>) => ({
    ...stated({
      ...listSearch(raw),
      ...figuresSearch(raw),
      sort: oneOf(SORTS, raw['sort']),
      site_id: numberOf(raw['site_id']),
      type: oneOf(TYPES, raw['type']),
      status: oneOf(STATUSES, raw['status']),
    }),
  }),
  loaderDeps: ({ search }) => asked(search),
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(list(deps));
    void queryClient.prefetchQuery(SITES);
  },
  staticData: { title: (language) => titles[language].zone, views: 'zones' },
  component: Zones,
});

function Zones() {
  const t = useTexts(zone);
  const s = useTexts(states);
  const search = Route.useSearch();
  const change = useSearchChange();
  const timeZone = useFigureZone(search);
  const rows = narrowed(search);
  const { page: _page, sort, ...filters } = rows;
  const query = list(asked(search, timeZone));
  const choice = useChoice(query.queryKey, byName);
  const of = ROW_FIGURES.zone;
  const figures = useRowFigures(of, { query, columns: COLUMNS, search });
  const add = <ButtonLink to="/publisher/zones/new">{t.add}</ButtonLink>;
  return (
    <Page title={t.title} main={add}>
      <Filters
        values={rows}
        filters={[
          { kind: 'text', name: 'keyword', label: t.name },
          { kind: 'own', name: 'site_id', label: t.site, field: SitePick },
          {
            kind: 'choice',
            name: 'type',
            label: t.type,
            options: TYPES.map((value) => ({ value, label: t.types[value].name })),
          },
          {
            kind: 'choice',
            name: 'status',
            label: t.status,
            options: STATUSES.map((value) => ({ value, label: s[value] })),
          },
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
        choice={choice}
        file={<ListCsv query={query} file={{ ...LIST_FILES.zone, figures }} />}
        empty={{ title: t.none, next: add }}
        searchEmpty={Object.keys(filters).length > 0 ? { title: t.noneFound } : null}
        sort={{ by: sort, onSort: (by) => change(sortedBy(by, timeZone)) }}
        onPage={(page) => change({ page })}
      />
      <ZoneBulk {...choice} />
      <FiguresNote of={of} figures={figures} search={search} />
    </Page>
  );
}

/** Mostly among the first; another is read by itself. */
function SiteName({ id }: { id: number }) {
  const { data: first } = useQuery(SITES);
  const found = first?.items.find((each) => each.id === id)?.name;
  const isMissing = first !== undefined && found === undefined;
  const { data: site } = useQuery({ ...siteOf(id), enabled: isMissing });
  return found ?? site?.name ?? `#${id}`;
}

function SitePick({ name, label, values, onChange }: OwnField) {
  const { all } = useTexts(common);
  return (
    <Pick
      label={label}
      unset={all}
      source={sitePick()}
      value={values[name]?.toString() ?? null}
      onPick={(picked) => onChange({ [name]: picked?.value })}
    />
  );
}
