import { Button, Group } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { Filters } from '../../../../parts/filters.tsx';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Page } from '../../../../parts/page.tsx';
import { numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts, wordOf } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { RowLink } from '../../../../parts/row-link.tsx';
import { type OperatorWithdrawal, withdrawals } from '../../../../queries/operator/money.ts';
import { finance } from '../../../../texts/finance.ts';
import { operator } from '../../../../texts/operator.ts';
import { titles } from '../../../../texts/titles.ts';
import { PartyLink } from '../-party/party-link.tsx';
import { states } from '../../../../texts/states.ts';
import { PublisherPick } from '../-shown/picks.tsx';

type Words = Same<(typeof finance)['en']>;

/** In the order in which a payout passes them. */
const STATUSES = [
  'PENDING',
  'RISK_HOLD',
  'APPROVED',
  'PROCESSING',
  'UNKNOWN',
  'PAID',
  'RETURNED',
  'FAILED',
  'REJECTED',
  'CANCELLED',
] as const;
const METHODS = ['BANK', 'USDT', 'PAYPAL', 'PAXUM'] as const;

const COLUMNS: readonly Column<OperatorWithdrawal, Words>[] = [
  {
    key: 'id',
    title: (t) => t.id,
    cell: ({ id }, t) => <RowLink to={`/operator/withdrawals/${id}`}>{t.withdrawal(id)}</RowLink>,
  },
  {
    key: 'who',
    title: (t) => t.publisher,
    cell: (row) => <PartyLink side="publisher" id={row.publisher_id} name={row.publisher_name} />,
  },
  {
    key: 'amount',
    title: (t) => t.amount,
    isNumber: true,
    cell: (row) => <Money amount={row.amount} currency={row.currency} />,
  },
  {
    key: 'arrives',
    title: (t) => t.arrives,
    isNumber: true,
    cell: (row) => <Money amount={row.arrival_amount} currency={row.currency} />,
  },
  { key: 'method', title: (t) => t.method, cell: (row, t) => t.methods[row.payment_method] },
  { key: 'account', title: (t) => t.account, cell: (row) => row.account ?? '—' },
  { key: 'status', title: (t) => t.status, cell: ({ status }) => <State state={status} /> },
  { key: 'asked', title: (t) => t.asked, cell: (row) => <When at={row.created_at} /> },
];

export const Route = createFileRoute('/operator/_in/withdrawals/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      publisher_id: numberOf(raw['publisher_id']),
      status: oneOf(STATUSES, raw['status']),
      payment_method: oneOf(METHODS, raw['payment_method']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(withdrawals(deps));
  },
  staticData: { title: (language) => titles[language].operatorWithdrawals, views: 'withdrawals' },
  component: Withdrawals,
});

function Withdrawals() {
  const t = useTexts(finance);
  const s = useTexts(states);
  const title = useTexts(operator).withdrawals;
  const search = Route.useSearch();
  const set = useSearchChange();
  const { page: _page, ...filters } = search;
  return (
    <Page title={title}>
      <Group gap="xs" role="group" aria-label={t.status}>
        {STATUSES.map((status) => (
          <Button
            key={status}
            size="compact-md"
            variant={search.status === status ? 'filled' : 'default'}
            aria-pressed={search.status === status}
            onClick={() => set({ status: search.status === status ? undefined : status })}
          >
            {wordOf(s, status)}
          </Button>
        ))}
      </Group>
      <Filters
        values={search}
        filters={[
          { kind: 'own', name: 'publisher_id', label: t.publisher, field: PublisherPick },
          {
            kind: 'choice',
            name: 'payment_method',
            label: t.method,
            options: METHODS.map((value) => ({ value, label: value })),
          },
        ]}
        onChange={set}
      />
      <List
        label={title}
        query={withdrawals(search)}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.noWithdrawals }}
        searchEmpty={Object.keys(filters).length > 0 ? { title: t.noneFound } : null}
        onPage={(page) => set({ page })}
      />
    </Page>
  );
}
