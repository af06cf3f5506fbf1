import { Anchor } from '@mantine/core';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useWrite } from '../../../../api.ts';
import type { Campaign } from '../../../../../client/routes.ts';
import { ActionButton } from '../../../../parts/action.tsx';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Filters } from '../../../../parts/filters.tsx';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Page } from '../../../../parts/page.tsx';
import { listSearch, oneOf, stated } from '../../../../parts/search.ts';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { list, toggle } from '../../../../queries/advertiser/campaign.ts';
import { campaign } from '../../../../texts/campaign.ts';
import { states } from '../../../../texts/states.ts';

type Words = Same<(typeof campaign)['en']>;

const STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED'] as const;

const COLUMNS: readonly Column<Campaign, Words>[] = [
  {
    key: 'name',
    title: (t) => t.name,
    cell: ({ id, name }) => (
      <Anchor component={Link} to={`/advertiser/campaigns/${id}`}>
        {name}
      </Anchor>
    ),
  },
  { key: 'status', title: (t) => t.status, cell: ({ status }) => <State state={status} /> },
  { key: 'review', title: (t) => t.review, cell: (row) => <State state={row.audit_status} /> },
  {
    key: 'delivery',
    title: (t) => t.delivery,
    cell: (row) => <State state={row.delivery_status} />,
  },
  {
    key: 'bid',
    title: (t) => t.bid,
    isNumber: true,
    cell: (row) => (
      <span>
        <Money amount={row.bid} /> {row.pricing_model}
      </span>
    ),
  },
  {
    key: 'daily',
    title: (t) => t.dailyBudget,
    isNumber: true,
    cell: (row, t) => (row.daily_budget === null ? t.noLimit : <Money amount={row.daily_budget} />),
  },
  { key: 'toggle', title: () => '', cell: (row) => <Toggle row={row} /> },
];

export const Route = createFileRoute('/advertiser/_in/campaigns/')({
  validateSearch: (raw: Record<string, unknown>) => ({
    ...listSearch(raw),
    ...stated({ status: oneOf(STATUSES, raw['status']) }),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps: { sort: _sort, ...deps } }) => {
    void queryClient.prefetchQuery(list(deps));
  },
  staticData: { title: (language) => campaign[language].title },
  component: Campaigns,
});

function Campaigns() {
  const t = useTexts(campaign);
  const s = useTexts(states);
  const { sort: _sort, ...search } = Route.useSearch();
  const navigate = Route.useNavigate();
  const create = <ButtonLink to="/advertiser/campaigns/new">{t.create}</ButtonLink>;
  const { page: _page, ...filters } = search;
  return (
    <Page title={t.title} main={create}>
      <Filters
        values={search}
        filters={[
          { kind: 'text', name: 'keyword', label: t.name },
          {
            kind: 'choice',
            name: 'status',
            label: t.status,
            options: STATUSES.map((value) => ({ value, label: s[value] })),
          },
        ]}
        onChange={(change) =>
          void navigate({ search: (was) => ({ ...was, ...change, page: undefined }) as never })
        }
      />
      <List
        label={t.title}
        query={list(search)}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none, next: create }}
        searchEmpty={Object.keys(filters).length > 0 ? { title: t.noneFound } : null}
        onPage={(page) => void navigate({ search: (was) => ({ ...was, page }) })}
      />
    </Page>
  );
}

function Toggle({ row }: { row: Campaign }) {
  const t = useTexts(campaign);
  const { mutateAsync } = useWrite(toggle);
  return (
    <ActionButton
      size="compact-sm"
      variant="default"
      action={{
        label: row.status === 'ACTIVE' ? t.pause : t.resume,
        run: async () => await mutateAsync({ path: { id: row.id } }),
      }}
    />
  );
}
