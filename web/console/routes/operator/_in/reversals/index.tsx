import { Anchor } from '@mantine/core';
import { createFileRoute, Link } from '@tanstack/react-router';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Filters } from '../../../../parts/filters.tsx';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Page } from '../../../../parts/page.tsx';
import { numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts, wordOf } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import {
  type Reversal,
  REVERSAL_STATUSES,
  reversals,
} from '../../../../queries/operator/reversal.ts';
import { reversal } from '../../../../texts/reversal.ts';
import { states } from '../../../../texts/states.ts';
import { titles } from '../../../../texts/titles.ts';

type Words = Same<(typeof reversal)['en']>;

const COLUMNS: readonly Column<Reversal, Words>[] = [
  {
    key: 'id',
    title: (t) => t.id,
    cell: ({ id }, t) => (
      <Anchor component={Link} to={`/operator/reversals/${id}`}>
        {t.name(id)}
      </Anchor>
    ),
  },
  { key: 'source', title: (t) => t.source, cell: ({ source }, t) => t.sources[source] },
  { key: 'status', title: (t) => t.status, cell: ({ status }) => <State state={status} /> },
  { key: 'events', title: (t) => t.events, isNumber: true, cell: ({ found }) => found.events },
  {
    key: 'spend',
    title: (t) => t.spend,
    isNumber: true,
    amount: ({ found }) => found.spend,
    cell: ({ found }, _t, decimals) => <Money amount={found.spend} decimals={decimals} />,
  },
  {
    key: 'earnings',
    title: (t) => t.earnings,
    isNumber: true,
    amount: ({ found }) => found.earnings,
    cell: ({ found }, _t, decimals) => <Money amount={found.earnings} decimals={decimals} />,
  },
  { key: 'maker', title: (t) => t.madeBy, cell: (row) => row.made_by },
  { key: 'when', title: (t) => t.when, cell: (row) => <When at={row.created_at} /> },
];

export const Route = createFileRoute('/operator/_in/reversals/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({ page: numberOf(raw['page']), status: oneOf(REVERSAL_STATUSES, raw['status']) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(reversals(deps));
  },
  staticData: { title: (language) => titles[language].operatorReversals },
  component: Reversals,
});

function Reversals() {
  const t = useTexts(reversal);
  const s = useTexts(states);
  const search = Route.useSearch();
  const change = useSearchChange();
  const ask = <ButtonLink to="/operator/reversals/new">{t.ask}</ButtonLink>;
  return (
    <Page title={t.title} lead={t.lead} main={ask}>
      <Filters
        values={stated({ status: search.status })}
        filters={[
          {
            kind: 'choice',
            name: 'status',
            label: t.status,
            options: REVERSAL_STATUSES.map((value) => ({ value, label: wordOf(s, value) })),
          },
        ]}
        onChange={change}
      />
      <List
        label={t.title}
        query={reversals(search)}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none, next: ask }}
        searchEmpty={search.status === undefined ? null : { title: t.noneFound }}
        onPage={(page) => change({ page })}
      />
    </Page>
  );
}
