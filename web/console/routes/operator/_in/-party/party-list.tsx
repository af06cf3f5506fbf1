import { type partySearch, STATUSES } from './party-search.ts';
import type { UseQueryOptions } from '@tanstack/react-query';
import { Filters } from '../../../../parts/filters.tsx';
import { EmailShown } from '../../../../parts/email-shown.tsx';
import { type Column, List, type PageOf } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Page } from '../../../../parts/page.tsx';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { RowLink } from '../../../../parts/row-link.tsx';
import { party } from '../../../../texts/party.ts';
import { states } from '../../../../texts/states.ts';

type Words = Same<(typeof party)['en']>;

export interface Party {
  id: number;
  company_name: string | null;
  nickname: string;
  contact_name: string | null;
  email: string;
  status: string;
  kyc_status: string;
  created_at: string;
  balance: { currency: string; balance: number };
  open: { tasks: number };
}

const columnsFor = (folder: string): readonly Column<Party, Words>[] => [
  {
    key: 'name',
    title: (t) => t.name,
    cell: (row) => (
      <RowLink to={`/operator/${folder}/${row.id}`}>{row.company_name ?? row.nickname}</RowLink>
    ),
  },
  { key: 'email', title: (t) => t.email, cell: ({ email }) => <EmailShown email={email} /> },
  { key: 'status', title: (t) => t.status, cell: ({ status }) => <State state={status} /> },
  { key: 'kyc', title: (t) => t.identity, cell: (row) => <State state={row.kyc_status} /> },
  {
    key: 'balance',
    title: (t) => t.balance,
    isNumber: true,
    amount: ({ balance }) => balance.balance,
    cell: ({ balance }, _t, decimals) => (
      <Money amount={balance.balance} currency={balance.currency} decimals={decimals} />
    ),
  },
  { key: 'tasks', title: (t) => t.openTasks, isNumber: true, cell: ({ open }) => open.tasks },
  { key: 'since', title: (t) => t.registered, cell: (row) => <When at={row.created_at} /> },
];

const COLUMNS = {
  advertisers: columnsFor('advertisers'),
  publishers: columnsFor('publishers'),
};

export function PartyList<Row extends Party>(props: {
  title: string;
  folder: keyof typeof COLUMNS;
  search: ReturnType<typeof partySearch>;
  // oxlint-disable-next-line typescript/no-explicit-any -- keys of queries are of many shapes
  query: UseQueryOptions<PageOf<Row>, Error, PageOf<Row>, any>;
  onSearch: (change: Record<string, string | number | undefined>) => void;
}) {
  const { title, folder, search, query, onSearch } = props;
  const t = useTexts(party);
  const s = useTexts(states);
  const { page: _page, ...filters } = search;
  return (
    <Page title={title}>
      <Filters
        values={search}
        filters={[
          { kind: 'text', name: 'keyword', label: t.search },
          {
            kind: 'choice',
            name: 'status',
            label: t.status,
            options: STATUSES.map((value) => ({ value, label: s[value] })),
          },
        ]}
        onChange={(change) => onSearch({ ...change, page: undefined })}
      />
      <List
        label={title}
        query={query}
        columns={COLUMNS[folder]}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none }}
        searchEmpty={Object.keys(filters).length > 0 ? { title: t.noneFound } : null}
        onPage={(page) => onSearch({ page })}
      />
    </Page>
  );
}
