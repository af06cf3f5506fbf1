import { createFileRoute } from '@tanstack/react-router';
import { Filters } from '../../../../parts/filters.tsx';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { NONE } from '../../../../parts/none.tsx';
import { Page } from '../../../../parts/page.tsx';
import { numberOf, oneOf, stated, textOf } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts, wordOf } from '../../../../parts/texts.ts';
import { Since } from '../../../../parts/time.tsx';
import { RowLink } from '../../../../parts/row-link.tsx';
import { REFRESH_MS } from '../../../../parts/refresh.ts';
import { type AnyonesOperation, operations } from '../../../../queries/operator/platform.ts';
import { operator } from '../../../../texts/operator.ts';
import { titles } from '../../../../texts/titles.ts';
import { phases } from '../../../../texts/phase.ts';
import { platform } from '../../../../texts/platform.ts';
import { states } from '../../../../texts/states.ts';
import { About, Whose } from '../-platform/operation-words.tsx';
import { AccountPick } from '../-shown/picks.tsx';

type Words = Same<(typeof platform)['en']>;

const STATUSES = [
  'queued',
  'running',
  'waiting_human',
  'succeeded',
  'failed',
  'cancelled',
] as const;

const COLUMNS: readonly Column<AnyonesOperation, Words>[] = [
  {
    key: 'id',
    title: (t) => t.id,
    cell: ({ id }, t) => <RowLink to={`/operator/operations/${id}`}>{t.operation(id)}</RowLink>,
  },
  { key: 'kind', title: (t) => t.kind, cell: ({ kind }, t) => wordOf(t.operationKinds, kind) },
  {
    key: 'subject',
    title: (t) => t.subject,
    cell: (row) => <About of={row} />,
  },
  { key: 'status', title: (t) => t.status, cell: ({ status }) => <State state={status} /> },
  {
    key: 'phase',
    title: (t) => t.phase,
    cell: ({ phase }) => (phase === null ? NONE : <Now phase={phase} />),
  },
  { key: 'account', title: (t) => t.account, cell: (row) => <Whose of={row} /> },
  { key: 'updated', title: (t) => t.updated, cell: (row) => <Since at={row.updated_at} /> },
];

function Now({ phase }: { phase: string }) {
  return wordOf(useTexts(phases), phase);
}

export const Route = createFileRoute('/operator/_in/operations/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      kind: textOf(raw['kind']),
      status: oneOf(STATUSES, raw['status']),
      account_id: numberOf(raw['account_id']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(operations(deps));
  },
  staticData: { title: (language) => titles[language].operatorOperations, views: 'operations' },
  component: Operations,
});

function Operations() {
  const t = useTexts(platform);
  const s = useTexts(states);
  const title = useTexts(operator).operations;
  const search = Route.useSearch();
  const change = useSearchChange();
  const { page: _page, ...filters } = search;
  return (
    <Page title={title}>
      <Filters
        values={search}
        filters={[
          {
            kind: 'choice',
            name: 'kind',
            label: t.kind,
            options: Object.entries(t.operationKinds).map(([value, label]) => ({ value, label })),
          },
          { kind: 'own', name: 'account_id', label: t.account, field: AccountPick },
          {
            kind: 'choice',
            name: 'status',
            label: t.status,
            options: STATUSES.map((value) => ({ value, label: wordOf(s, value) })),
          },
        ]}
        onChange={change}
      />
      <List
        label={title}
        query={{ ...operations(search), refetchInterval: REFRESH_MS }}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.noOperations }}
        searchEmpty={Object.keys(filters).length > 0 ? { title: t.noneFound } : null}
        onPage={(page) => change({ page })}
      />
    </Page>
  );
}
