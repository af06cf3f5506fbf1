import { TYPES } from './transaction-types.ts';
import { Stack } from '@mantine/core';
import { DEPOSIT_METHODS, DEPOSIT_STATUSES } from '../../../../../domain/lifecycle/deposit.ts';
import type { Deposit, Transaction } from '../../../../client/routes.ts';
import { Filters } from '../../../parts/filters.tsx';
import { type Column, List } from '../../../parts/list-page.tsx';
import { Money } from '../../../parts/money.tsx';
import { State } from '../../../parts/state.tsx';
import { type Same, useTexts, wordOf } from '../../../parts/texts.ts';
import { Moved } from '../../../parts/moved.tsx';
import { When } from '../../../parts/time.tsx';
import { RowLink } from '../../../parts/row-link.tsx';
import { list, transactions } from '../../../queries/advertiser/deposit.ts';
import { moneyTexts } from '../../../texts/advertiser/money.ts';
import { states } from '../../../texts/states.ts';

type Words = Same<(typeof moneyTexts)['en']>;

interface Search {
  status?: Deposit['status'];
  payment_method?: Deposit['payment_method'];
  type?: (typeof TYPES)[number];
  page?: number;
}
interface Props {
  search: Search;
  onChange: (change: Record<string, string | number | undefined>) => void;
}

const DEPOSIT_COLUMNS: readonly Column<Deposit, Words>[] = [
  {
    key: 'reference',
    title: (t) => t.reference,
    cell: ({ id, reference }) => (
      <RowLink to={`/advertiser/money/deposits/${id}`}>{reference}</RowLink>
    ),
  },
  {
    key: 'status',
    title: (t) => t.status,
    cell: ({ status }, t) => <State state={status} words={t.depositStates[status]} />,
  },
  { key: 'method', title: (t) => t.method, cell: (row, t) => t.methods[row.payment_method] },
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
  { key: 'created', title: (t) => t.created, cell: (row) => <When at={row.created_at} /> },
];

export function DepositList({ search, onChange }: Props) {
  const t = useTexts(moneyTexts);
  const s = useTexts(states);
  const { type: _type, ...query } = search;
  const isFiltered = query.status !== undefined || query.payment_method !== undefined;
  return (
    <Stack>
      <Filters
        values={{ status: query.status, payment_method: query.payment_method }}
        onChange={onChange}
        filters={[
          {
            kind: 'choice',
            name: 'status',
            label: t.status,
            options: DEPOSIT_STATUSES.map((value) => ({ value, label: s[value] })),
          },
          {
            kind: 'choice',
            name: 'payment_method',
            label: t.method,
            options: DEPOSIT_METHODS.map((value) => ({ value, label: t.methods[value] })),
          },
        ]}
      />
      <List
        label={t.tabs.deposits}
        query={list(query)}
        columns={DEPOSIT_COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none }}
        searchEmpty={isFiltered ? { title: t.noneFound } : null}
        onPage={(page) => onChange({ page })}
      />
    </Stack>
  );
}

const TRANSACTION_COLUMNS: readonly Column<Transaction, Words>[] = [
  { key: 'when', title: (t) => t.when, cell: (row) => <When at={row.created_at} /> },
  { key: 'type', title: (t) => t.type, cell: (row, t) => wordOf(t.types, row.type) },
  {
    key: 'description',
    title: (t) => t.description,
    cell: (row) =>
      row.subject?.type === 'deposit' && row.subject.id !== null ? (
        <RowLink to={`/advertiser/money/deposits/${row.subject.id}`}>
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
    title: (t) => t.balanceAfter,
    isNumber: true,
    cell: (row) => <Money amount={row.balance_after} currency={row.currency} />,
  },
];

export function TransactionList({ search, onChange }: Props) {
  const t = useTexts(moneyTexts);
  const { type, page } = search;
  const query = {
    ...(type === undefined ? {} : { type }),
    ...(page === undefined ? {} : { page }),
  };
  return (
    <Stack>
      <Filters
        values={{ type }}
        onChange={onChange}
        filters={[
          {
            kind: 'choice',
            name: 'type',
            label: t.type,
            options: TYPES.map((value) => ({ value, label: t.types[value] })),
          },
        ]}
      />
      <List
        label={t.tabs.transactions}
        query={transactions(query)}
        columns={TRANSACTION_COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.noTransactions }}
        searchEmpty={type === undefined ? null : { title: t.noTransactionsFound }}
        onPage={(next) => onChange({ page: next })}
      />
    </Stack>
  );
}
