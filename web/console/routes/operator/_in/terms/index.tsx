import { Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Filters } from '../../../../parts/filters.tsx';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { NONE } from '../../../../parts/none.tsx';
import { Page } from '../../../../parts/page.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { formatDay } from '../../../../parts/time.tsx';
import { type Term, TERM_KINDS, TERM_STATUSES, terms } from '../../../../queries/operator/term.ts';
import { states } from '../../../../texts/states.ts';
import { term } from '../../../../texts/term.ts';
import { titles } from '../../../../texts/titles.ts';
import { PublisherPick } from '../-shown/picks.tsx';
import { Decision, Whom } from './-term-cells.tsx';

type Words = Same<(typeof term)['en']>;

/** Terms begin and end with days of UTC, whatever zone their reader is in. */
function Day({ at, none }: { at: string | null; none: string }) {
  const { language } = usePreferences();
  return at === null ? none : <time dateTime={at}>{formatDay(at.slice(0, 10), language)}</time>;
}

const COLUMNS: readonly Column<Term, Words>[] = [
  { key: 'kind', title: (t) => t.kind, cell: (row, t) => t.kinds[row.kind] },
  { key: 'whom', title: (t) => t.forWhom, cell: (row) => <Whom row={row} /> },
  {
    key: 'percent',
    title: (t) => t.percent,
    isNumber: true,
    cell: ({ percent }, t) => t.ofHundred(percent),
  },
  { key: 'from', title: (t) => t.from, cell: (row, t) => <Day at={row.from} none={t.beginning} /> },
  { key: 'until', title: (t) => t.until, cell: ({ until }) => <Day at={until} none="—" /> },
  {
    key: 'status',
    title: (t) => t.status,
    cell: (row, t) => (
      <Stack gap={2}>
        <State state={row.status} />
        {row.in_force && <Text size="xs">{t.inForce}</Text>}
      </Stack>
    ),
  },
  { key: 'by', title: (t) => t.by, cell: ({ maker }) => maker ?? NONE },
  { key: 'checked', title: (t) => t.checkedBy, cell: ({ checker }) => checker ?? NONE },
  { key: 'approval', title: (t) => t.approvalOf, cell: (row) => <Decision row={row} /> },
];

export const Route = createFileRoute('/operator/_in/terms/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      kind: oneOf(TERM_KINDS, raw['kind']),
      status: oneOf(TERM_STATUSES, raw['status']),
      publisher_id: numberOf(raw['publisher_id']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(terms(deps));
  },
  staticData: { title: (language) => titles[language].operatorTerms },
  component: Terms,
});

function Terms() {
  const t = useTexts(term);
  const s = useTexts(states);
  const search = Route.useSearch();
  const change = useSearchChange();
  const { page: _page, ...filters } = search;
  const propose = <ButtonLink to="/operator/terms/new">{t.propose}</ButtonLink>;
  return (
    <Page title={t.title} lead={t.lead} main={propose}>
      <Filters
        values={filters}
        filters={[
          {
            kind: 'choice',
            name: 'kind',
            label: t.kind,
            options: TERM_KINDS.map((value) => ({ value, label: t.kinds[value] })),
          },
          {
            kind: 'choice',
            name: 'status',
            label: t.status,
            options: TERM_STATUSES.map((value) => ({ value, label: s[value] })),
          },
          { kind: 'own', name: 'publisher_id', label: t.publisher, field: PublisherPick },
        ]}
        onChange={change}
      />
      <List
        label={t.title}
        query={terms(search)}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none, next: propose }}
        searchEmpty={Object.keys(filters).length === 0 ? null : { title: t.noneFound }}
        onPage={(page) => change({ page })}
      />
    </Page>
  );
}
