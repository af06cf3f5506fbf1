import { createFileRoute } from '@tanstack/react-router';
import { Filters } from '../../../../parts/filters.tsx';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Page } from '../../../../parts/page.tsx';
import { numberOf, oneOf, stated, textOf } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts, wordOf } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { RowLink } from '../../../../parts/row-link.tsx';
import { deposits, type OperatorDeposit } from '../../../../queries/operator/money.ts';
import { finance } from '../../../../texts/finance.ts';
import { operator } from '../../../../texts/operator.ts';
import { titles } from '../../../../texts/titles.ts';
import { PartyLink } from '../-party/party-link.tsx';
import { states } from '../../../../texts/states.ts';
import { AdvertiserPick } from '../-shown/picks.tsx';

type Words = Same<(typeof finance)['en']>;

const STATUSES = [
  'PENDING',
  'CONFIRMING',
  'REVIEW',
  'PAID',
  'CANCELLED',
  'EXPIRED',
  'REFUNDED',
  'FAILED',
] as const;
const METHODS = ['BANK', 'USDT', 'ALIPAY', 'WECHAT', 'OFFLINE'] as const;

const COLUMNS: readonly Column<OperatorDeposit, Words>[] = [
  {
    key: 'id',
    title: (t) => t.id,
    cell: ({ id }, t) => <RowLink to={`/operator/deposits/${id}`}>{t.order(id)}</RowLink>,
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
    key: 'received',
    title: (t) => t.received,
    isNumber: true,
    cell: (row) => <Money amount={row.received} currency={row.currency} />,
  },
  { key: 'method', title: (t) => t.method, cell: (row, t) => t.methods[row.payment_method] },
  {
    key: 'status',
    title: (t) => t.status,
    cell: ({ status }, t) => <State state={status} words={t.depositStates[status]} />,
  },
  { key: 'reference', title: (t) => t.reference, cell: (row) => <code>{row.reference}</code> },
  { key: 'asked', title: (t) => t.asked, cell: (row) => <When at={row.created_at} /> },
];

export const Route = createFileRoute('/operator/_in/deposits/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      advertiser_id: numberOf(raw['advertiser_id']),
      status: oneOf(STATUSES, raw['status']),
      payment_method: oneOf(METHODS, raw['payment_method']),
      reference: textOf(raw['reference']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(deposits(deps));
  },
  staticData: { title: (language) => titles[language].operatorDeposits, views: 'deposits' },
  component: Deposits,
});

function Deposits() {
  const t = useTexts(finance);
  const s = useTexts(states);
  const title = useTexts(operator).deposits;
  const search = Route.useSearch();
  const change = useSearchChange();
  const { page: _page, ...filters } = search;
  return (
    <Page title={title}>
      <Filters
        values={search}
        filters={[
          { kind: 'text', name: 'reference', label: t.reference },
          { kind: 'own', name: 'advertiser_id', label: t.advertiser, field: AdvertiserPick },
          {
            kind: 'choice',
            name: 'status',
            label: t.status,
            options: STATUSES.map((value) => ({
              value,
              label: t.depositStates[value] ?? wordOf(s, value),
            })),
          },
          {
            kind: 'choice',
            name: 'payment_method',
            label: t.method,
            options: METHODS.map((value) => ({ value, label: t.methods[value] })),
          },
        ]}
        onChange={change}
      />
      <List
        label={title}
        query={deposits(search)}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.noDeposits }}
        searchEmpty={Object.keys(filters).length > 0 ? { title: t.noneFound } : null}
        onPage={(page) => change({ page })}
      />
    </Page>
  );
}
