import { createFileRoute } from '@tanstack/react-router';
import { APPROVAL_KINDS } from '../../../../../../domain/approvals.ts';
import { APPROVAL_STATES } from '../../../../../../domain/lifecycle/approval.ts';
import { Filters } from '../../../../parts/filters.tsx';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Page } from '../../../../parts/page.tsx';
import { numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { RowLink } from '../../../../parts/row-link.tsx';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { REFRESH_MS } from '../../../../parts/refresh.ts';
import { type Approval, approvals } from '../../../../queries/operator/approval.ts';
import { approval } from '../../../../texts/approval.ts';
import { operator } from '../../../../texts/operator.ts';
import { ApprovedThing } from '../-shown/approval-subject.tsx';
import { titles } from '../../../../texts/titles.ts';

type Words = Same<(typeof approval)['en']>;

const COLUMNS: readonly Column<Approval, Words>[] = [
  {
    key: 'id',
    title: (t) => t.id,
    cell: ({ id }, t) => <RowLink to={`/operator/approvals/${id}`}>{t.number(id)}</RowLink>,
  },
  { key: 'of', title: (t) => t.of, cell: (row) => <ApprovedThing of={row} /> },
  {
    key: 'amount',
    title: (t) => t.amount,
    isNumber: true,
    cell: ({ amount }) => (amount === 0 ? '—' : <Money amount={amount} currency="USD" />),
  },
  {
    key: 'state',
    title: (t) => t.state,
    cell: ({ state }, t) => <State state={state} words={t.states[state]} />,
  },
  { key: 'maker', title: (t) => t.maker, cell: ({ maker }, t) => maker ?? t.platform },
  {
    key: 'checker',
    title: (t) => t.checker,
    cell: ({ checker, alone }, t) => checker ?? (alone ? t.alone : '—'),
  },
  { key: 'asked', title: (t) => t.asked, cell: (row) => <When at={row.created_at} /> },
];

export const Route = createFileRoute('/operator/_in/approvals/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      state: oneOf(APPROVAL_STATES, raw['state']),
      kind: oneOf(APPROVAL_KINDS, raw['kind']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(approvals(deps));
  },
  staticData: { title: (language) => titles[language].operatorApprovals },
  component: Approvals,
});

function Approvals() {
  const t = useTexts(approval);
  const title = useTexts(operator).approvals;
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const { page: _page, ...filters } = search;
  const set = (change: Record<string, string | undefined>): void =>
    void navigate({ search: (was) => stated({ ...was, ...change, page: undefined }) as never });
  return (
    <Page title={title} lead={t.lead}>
      <Filters
        values={search}
        filters={[
          {
            kind: 'choice',
            name: 'state',
            label: t.state,
            options: APPROVAL_STATES.map((value) => ({ value, label: t.states[value] })),
          },
          {
            kind: 'choice',
            name: 'kind',
            label: t.of,
            options: APPROVAL_KINDS.map((value) => ({ value, label: t.kinds[value] })),
          },
        ]}
        onChange={set}
      />
      <List
        label={title}
        query={{ ...approvals(search), refetchInterval: REFRESH_MS }}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.nothing }}
        searchEmpty={Object.keys(filters).length > 0 ? { title: t.nothing } : null}
        onPage={(page) => void navigate({ search: (was) => ({ ...was, page }) })}
      />
    </Page>
  );
}
