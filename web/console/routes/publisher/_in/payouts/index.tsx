import { createFileRoute } from '@tanstack/react-router';
import type { Withdrawal } from '../../../../../client/routes.ts';
import { stateOf } from '../../../../may/payout.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Filters } from '../../../../parts/filters.tsx';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Page } from '../../../../parts/page.tsx';
import { listSearch, oneOf, stated } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { Together } from '../../../../parts/together.tsx';
import { RowLink } from '../../../../parts/row-link.tsx';
import { balance, list, revenueShare } from '../../../../queries/publisher/withdrawal.ts';
import { states } from '../../../../texts/states.ts';
import { withdrawal } from '../../../../texts/withdrawal.ts';
import { titles } from '../../../../texts/titles.ts';
import { Earned } from '../-earned.tsx';
import { PayoutPages } from './-payout-pages.tsx';
import { Share } from './-share.tsx';

type Words = Same<(typeof withdrawal)['en']>;

const STATUSES = [
  'PENDING',
  'RISK_HOLD',
  'APPROVED',
  'PROCESSING',
  'UNKNOWN',
  'PAID',
  'FAILED',
  'RETURNED',
  'REJECTED',
  'CANCELLED',
] as const;

const COLUMNS: readonly Column<Withdrawal, Words>[] = [
  {
    key: 'number',
    title: (t) => t.requested,
    cell: ({ id, created_at: at }) => (
      <RowLink to={`/publisher/payouts/${id}`}>
        <When at={at} />
      </RowLink>
    ),
  },
  { key: 'status', title: (t) => t.status, cell: (row) => <State state={stateOf(row)} /> },
  {
    key: 'channel',
    title: (t) => t.channel,
    cell: (row, t) => t.channels[row.payment_method],
  },
  { key: 'to', title: (t) => t.to, cell: (row) => row.account },
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
];

export const Route = createFileRoute('/publisher/_in/payouts/')({
  validateSearch: (raw: Record<string, unknown>) => ({
    ...stated({ page: listSearch(raw).page, status: oneOf(STATUSES, raw['status']) }),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(balance);
    void queryClient.prefetchQuery(revenueShare);
    void queryClient.prefetchQuery(list(deps));
  },
  staticData: { title: (language) => titles[language].withdrawal, views: 'payouts' },
  component: Payouts,
});

function Payouts() {
  const t = useTexts(withdrawal);
  const s = useTexts(states);
  const search = Route.useSearch();
  const change = useSearchChange();
  const withdraw = <ButtonLink to="/publisher/payouts/new">{t.withdraw}</ButtonLink>;
  return (
    <Page title={t.title} main={withdraw}>
      <Together reads={[balance, revenueShare]}>
        <Earned />
        <Share />
        <PayoutPages />
        <Filters
          values={search}
          filters={[
            {
              kind: 'choice',
              name: 'status',
              label: t.status,
              options: STATUSES.map((value) => ({ value, label: s[value] })),
            },
          ]}
          onChange={change}
        />
        <List
          label={t.withdrawals}
          query={list(search)}
          columns={COLUMNS}
          texts={t}
          rowKey={({ id }) => id}
          empty={{ title: t.none }}
          searchEmpty={search.status === undefined ? null : { title: t.noneFound }}
          onPage={(page) => change({ page })}
        />
      </Together>
    </Page>
  );
}
