import { createFileRoute } from '@tanstack/react-router';
import type { Transaction } from '../../../../../client/routes.ts';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Page } from '../../../../parts/page.tsx';
import { numberOf, stated } from '../../../../parts/search.ts';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { Moved } from '../../../../parts/moved.tsx';
import { When } from '../../../../parts/time.tsx';
import { RowLink } from '../../../../parts/row-link.tsx';
import { transactions } from '../../../../queries/publisher/withdrawal.ts';
import { withdrawal } from '../../../../texts/withdrawal.ts';
import { titles } from '../../../../texts/titles.ts';
import { PayoutPages } from './-payout-pages.tsx';

type Words = Same<(typeof withdrawal)['en']>;

const COLUMNS: readonly Column<Transaction, Words>[] = [
  { key: 'when', title: (t) => t.when, cell: (row) => <When at={row.created_at} /> },
  {
    key: 'what',
    title: (t) => t.moved,
    cell: (row) =>
      row.subject?.type === 'withdrawal' && row.subject.id !== null ? (
        <RowLink to={`/publisher/payouts/${row.subject.id}`}>
          <Moved row={row} />
        </RowLink>
      ) : (
        <Moved row={row} />
      ),
  },
  {
    key: 'amount',
    title: (t) => t.amount,
    isNumber: true,
    cell: (row) => <Money amount={row.amount} currency={row.currency} />,
  },
  {
    key: 'after',
    title: (t) => t.after,
    isNumber: true,
    cell: (row) => <Money amount={row.balance_after} currency={row.currency} />,
  },
];

export const Route = createFileRoute('/publisher/_in/payouts/transactions')({
  validateSearch: (raw: Record<string, unknown>) => stated({ page: numberOf(raw['page']) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(transactions(deps));
  },
  staticData: { title: (language) => titles[language].withdrawalTransactions },
  component: Transactions,
});

function Transactions() {
  const t = useTexts(withdrawal);
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Page title={t.transactions} crumbs={[{ text: t.title, to: '/publisher/payouts' }]}>
      <PayoutPages />
      <List
        label={t.transactions}
        query={transactions(search)}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.noTransactions }}
        searchEmpty={null}
        onPage={(page) => void navigate({ search: { page } })}
      />
    </Page>
  );
}
