import { createFileRoute } from '@tanstack/react-router';
import { TRACKER_TYPES } from '../../../../../../domain/tracker.ts';
import type { Tracker } from '../../../../../client/routes.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Filters } from '../../../../parts/filters.tsx';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { Page } from '../../../../parts/page.tsx';
import { listSearch, oneOf, stated } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts, wordOf } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { list } from '../../../../queries/advertiser/tracker.ts';
import { trackerTexts } from '../../../../texts/advertiser/tracker.ts';
import { titles } from '../../../../texts/titles.ts';
import { states } from '../../../../texts/states.ts';
import { STATUSES } from '../../-parts/inventory-states.ts';
import { RowLink } from '../../../../parts/row-link.tsx';

type Words = Same<(typeof trackerTexts)['en']>;

const COLUMNS: readonly Column<Tracker, Words>[] = [
  {
    key: 'name',
    title: (t) => t.name,
    cell: ({ id, name }) => <RowLink to={`/advertiser/trackers/${id}`}>{name}</RowLink>,
  },
  { key: 'status', title: (t) => t.status, cell: ({ status }) => <State state={status} /> },
  { key: 'event', title: (t) => t.event, cell: (row, t) => wordOf(t.events, row.event_type) },
  { key: 'type', title: (t) => t.type, cell: (row, t) => t.types[row.type].split(':')[0] },
  { key: 'window', title: (t) => t.window, cell: (row, t) => t.days(row.attribution_window) },
  { key: 'created', title: (t) => t.created, cell: (row) => <When at={row.created_at} /> },
];

export const Route = createFileRoute('/advertiser/_in/trackers/')({
  validateSearch: (raw: Record<string, unknown>) => ({
    ...listSearch(raw),
    ...stated({
      status: oneOf(STATUSES, raw['status']),
      type: oneOf(TRACKER_TYPES, raw['type']),
    }),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps: { sort: _sort, ...deps } }) => {
    void queryClient.prefetchQuery(list(deps));
  },
  staticData: { title: (language) => titles[language].tracker, views: 'trackers' },
  component: Trackers,
});

function Trackers() {
  const t = useTexts(trackerTexts);
  const s = useTexts(states);
  const { sort: _sort, ...search } = Route.useSearch();
  const change = useSearchChange();
  const { page: _page, ...filters } = search;
  const create = <ButtonLink to="/advertiser/trackers/new">{t.create}</ButtonLink>;
  return (
    <Page title={t.title} lead={t.lead} main={create}>
      <Filters
        values={search}
        filters={[
          { kind: 'text', name: 'keyword', label: t.name },
          {
            kind: 'choice',
            name: 'status',
            label: t.status,
            options: STATUSES.map((value) => ({ value, label: s[value] })),
          },
          {
            kind: 'choice',
            name: 'type',
            label: t.type,
            options: TRACKER_TYPES.map((value) => ({ value, label: t.types[value] })),
          },
        ]}
        onChange={change}
      />
      <List
        label={t.title}
        query={list(search)}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none, next: create }}
        searchEmpty={Object.keys(filters).length > 0 ? { title: t.noneFound } : null}
        onPage={(page) => change({ page })}
      />
    </Page>
  );
}
