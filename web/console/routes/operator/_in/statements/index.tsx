import { createFileRoute } from '@tanstack/react-router';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { Page } from '../../../../parts/page.tsx';
import { numberOf, stated } from '../../../../parts/search.ts';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { RowLink } from '../../../../parts/row-link.tsx';
import {
  type BankStatement,
  position,
  statements,
} from '../../../../queries/operator/statement.ts';
import { statement } from '../../../../texts/statement.ts';
import { titles } from '../../../../texts/titles.ts';
import { Count } from './-count.tsx';
import { Position } from './-position.tsx';

type Words = Same<(typeof statement)['en']>;

const COLUMNS: readonly Column<BankStatement, Words>[] = [
  {
    key: 'account',
    title: (t) => t.account,
    cell: ({ id, account }) => <RowLink to={`/operator/statements/${id}`}>{account}</RowLink>,
  },
  { key: 'file', title: (t) => t.file, cell: (row) => row.file_name ?? '—' },
  { key: 'added', title: (t) => t.added, isNumber: true, cell: (row) => row.added },
  {
    key: 'proposed',
    title: (t) => t.proposed,
    isNumber: true,
    cell: (row, t) => <Count of={row} state="PROPOSED" count={row.proposed} label={t.proposed} />,
  },
  {
    key: 'unmatched',
    title: (t) => t.unmatched,
    isNumber: true,
    cell: (row, t) => (
      <Count of={row} state="UNMATCHED" count={row.unmatched} label={t.unmatched} />
    ),
  },
  {
    key: 'recorded',
    title: (t) => t.recorded,
    isNumber: true,
    cell: (row, t) => <Count of={row} state="RECORDED" count={row.recorded} label={t.recorded} />,
  },
  { key: 'when', title: (t) => t.when, cell: (row) => <When at={row.created_at} /> },
];

export const Route = createFileRoute('/operator/_in/statements/')({
  validateSearch: (raw: Record<string, unknown>) => stated({ page: numberOf(raw['page']) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(statements(deps));
    void queryClient.prefetchQuery(position);
  },
  staticData: { title: (language) => titles[language].operatorStatements },
  component: Statements,
});

function Statements() {
  const t = useTexts(statement);
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const upload = <ButtonLink to="/operator/statements/new">{t.upload}</ButtonLink>;
  return (
    <Page title={t.title} lead={t.lead} main={upload}>
      <Position />
      <List
        label={t.title}
        query={statements(search)}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none, next: upload }}
        searchEmpty={null}
        onPage={(page) => void navigate({ search: { page } })}
      />
    </Page>
  );
}
