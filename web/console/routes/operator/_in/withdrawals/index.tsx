import { Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo } from 'react';
import { PAYOUT_STAGES } from '../../../../../../domain/payout-stage.ts';
import { Filters } from '../../../../parts/filters.tsx';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Page } from '../../../../parts/page.tsx';
import { numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts, wordOf } from '../../../../parts/texts.ts';
import { Since } from '../../../../parts/time.tsx';
import { Together } from '../../../../parts/together.tsx';
import { useChoice } from '../../../../parts/use-choice.ts';
import { RowLink } from '../../../../parts/row-link.tsx';
import { REFRESH_MS } from '../../../../parts/refresh.ts';
import {
  type OperatorWithdrawal,
  stages,
  withdrawals,
} from '../../../../queries/operator/money.ts';
import { finance } from '../../../../texts/finance.ts';
import { operator } from '../../../../texts/operator.ts';
import { payoutBoard } from '../../../../texts/payout-board.ts';
import { titles } from '../../../../texts/titles.ts';
import { PartyLink } from '../-party/party-link.tsx';
import { states } from '../../../../texts/states.ts';
import { PublisherPick } from '../-shown/picks.tsx';
import { Board } from './-board.tsx';
import { FileBar } from './-file-bar.tsx';
import { WaitsFor } from './-waits-for.tsx';

type Words = Same<(typeof finance)['en']> & Same<(typeof payoutBoard)['en']>;

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
  {
    key: 'account',
    title: (t) => t.account,
    cell: (row, t) => (
      <Stack gap={0}>
        <span>{t.methods[row.payment_method]}</span>
        <Text span size="xs" c="dimmed" className="words">
          {row.account}
        </Text>
      </Stack>
    ),
  },
  { key: 'status', title: (t) => t.status, cell: ({ status }) => <State state={status} /> },
  {
    key: 'waits',
    title: (t) => t.waitsFor,
    cell: (row, t) => <WaitsFor row={row} t={t} />,
  },
  {
    key: 'since',
    title: (t) => t.stands,
    cell: ({ stage_since: since }) => <Since at={since} />,
  },
];

export const Route = createFileRoute('/operator/_in/withdrawals/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      publisher_id: numberOf(raw['publisher_id']),
      stage: oneOf(PAYOUT_STAGES, raw['stage']),
      status: oneOf(STATUSES, raw['status']),
      payment_method: oneOf(METHODS, raw['payment_method']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(stages);
    void queryClient.prefetchQuery(withdrawals(deps));
  },
  staticData: { title: (language) => titles[language].operatorWithdrawals, views: 'withdrawals' },
  component: Withdrawals,
});

/** One object as long as the language stays: rows are drawn anew for another. */
function useWords(): Words {
  const [words, board] = [useTexts(finance), useTexts(payoutBoard)];
  return useMemo(() => ({ ...words, ...board }), [words, board]);
}

function Withdrawals() {
  const t = useWords();
  const s = useTexts(states);
  const title = useTexts(operator).withdrawals;
  const search = Route.useSearch();
  const set = useSearchChange();
  // What a colleague has done meanwhile is seen here as on the board above.
  const query = { ...withdrawals(search), refetchInterval: REFRESH_MS };
  const choice = useChoice<OperatorWithdrawal>(query.queryKey, ({ id }) => t.withdrawal(id));
  const { page: _page, ...filters } = search;
  const isFiled = search.stage === 'BANK_FILE';
  return (
    <Page title={title}>
      <Together reads={[stages]}>
        <Board chosen={search.stage} onChoose={(stage) => set({ stage })} />
        <Filters
          values={search}
          filters={[
            { kind: 'own', name: 'publisher_id', label: t.publisher, field: PublisherPick },
            {
              kind: 'choice',
              name: 'status',
              label: t.status,
              options: STATUSES.map((value) => ({ value, label: wordOf(s, value) })),
            },
            {
              kind: 'choice',
              name: 'payment_method',
              label: t.method,
              options: METHODS.map((value) => ({ value, label: t.methods[value] })),
            },
          ]}
          onChange={set}
        />
        <List
          label={title}
          query={query}
          columns={COLUMNS}
          texts={t}
          rowKey={({ id }) => id}
          empty={{ title: t.noWithdrawals }}
          searchEmpty={
            Object.keys(filters).length > 0
              ? { title: search.stage === undefined ? t.noneFound : t.nothingHere }
              : null
          }
          onPage={(page) => set({ page })}
          choice={isFiled ? choice : undefined}
        />
        {isFiled && <FileBar query={query} chosen={choice.chosen} onChoose={choice.onChoose} />}
      </Together>
    </Page>
  );
}
