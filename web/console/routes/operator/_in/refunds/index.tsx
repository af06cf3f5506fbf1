import { createFileRoute } from '@tanstack/react-router';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Filters } from '../../../../parts/filters.tsx';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Page } from '../../../../parts/page.tsx';
import { RowLink } from '../../../../parts/row-link.tsx';
import { numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts, wordOf } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { type Refund, REFUND_STATUSES, refunds } from '../../../../queries/operator/refund.ts';
import { refund } from '../../../../texts/refund.ts';
import { states } from '../../../../texts/states.ts';
import { titles } from '../../../../texts/titles.ts';
import { PartyLink } from '../-party/party-link.tsx';
import { AdvertiserPick } from '../-shown/picks.tsx';

type Words = Same<(typeof refund)['en']>;

const COLUMNS: readonly Column<Refund, Words>[] = [
  {
    key: 'id',
    title: (t) => t.id,
    cell: ({ id }, t) => <RowLink to={`/operator/refunds/${id}`}>{t.name(id)}</RowLink>,
  },
  {
    key: 'who',
    title: (t) => t.advertiser,
    cell: (row) => (
      <PartyLink side="advertiser" id={row.advertiser_id} name={row.advertiser_name} />
    ),
  },
  {
    key: 'amount',
    title: (t) => t.amount,
    isNumber: true,
    cell: (row) => <Money amount={row.amount} currency={row.currency} />,
  },
  {
    key: 'sent',
    title: (t) => t.sent,
    isNumber: true,
    cell: (row) => <Money amount={row.sent} currency={row.currency} />,
  },
  {
    key: 'status',
    title: (t) => t.status,
    cell: ({ status }) => <State state={status} isGood={status === 'RETURNED'} />,
  },
  { key: 'by', title: (t) => t.by, cell: (row) => row.made_by },
  { key: 'when', title: (t) => t.when, cell: (row) => <When at={row.created_at} /> },
];

export const Route = createFileRoute('/operator/_in/refunds/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      advertiser_id: numberOf(raw['advertiser_id']),
      status: oneOf(REFUND_STATUSES, raw['status']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(refunds(deps));
  },
  staticData: { title: (language) => titles[language].operatorRefunds },
  component: Refunds,
});

function Refunds() {
  const t = useTexts(refund);
  const s = useTexts(states);
  const search = Route.useSearch();
  const change = useSearchChange();
  const { page: _page, ...filters } = search;
  const ask = <ButtonLink to="/operator/refunds/new">{t.ask}</ButtonLink>;
  return (
    <Page title={t.title} lead={t.lead} main={ask}>
      <Filters
        values={filters}
        filters={[
          { kind: 'own', name: 'advertiser_id', label: t.advertiser, field: AdvertiserPick },
          {
            kind: 'choice',
            name: 'status',
            label: t.status,
            options: REFUND_STATUSES.map((value) => ({ value, label: wordOf(s, value) })),
          },
        ]}
        onChange={change}
      />
      <List
        label={t.title}
        query={refunds(search)}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none, next: ask }}
        searchEmpty={Object.keys(filters).length === 0 ? null : { title: t.noneFound }}
        onPage={(page) => change({ page })}
      />
    </Page>
  );
}
