import { createFileRoute } from '@tanstack/react-router';
import type { Campaign } from '../../../../../client/routes.ts';
import { PRICING_MODELS } from '../../../../../../domain/inventory.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Filters } from '../../../../parts/filters.tsx';
import { ListCsv } from '../../../../parts/list-csv.tsx';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Page } from '../../../../parts/page.tsx';
import { useFigureZone, useRowFigures } from '../../../../parts/row-figures.tsx';
import {
  asked,
  figureSorts,
  figuresSearch,
  narrowed,
  sortedBy,
} from '../../../../parts/row-figures-search.ts';
import { FiguresControls, FiguresNote } from '../../../../parts/row-figures-controls.tsx';
import { numberOf, oneOf, stated, textOf } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { State } from '../../../../parts/state.tsx';
import { type Same, useMarks, useTexts } from '../../../../parts/texts.ts';
import { list } from '../../../../queries/advertiser/campaign.ts';
import { launchTexts } from '../../../../texts/advertiser/launch.ts';
import { campaign } from '../../../../texts/campaign.ts';
import { titles } from '../../../../texts/titles.ts';
import { RowActions } from '../../-parts/below-lists.tsx';
import { InventoryBulk } from '../../-parts/inventory-bulk.tsx';
import { BudgetCell } from '../../-parts/budget-cell.tsx';
import { Delivery } from '../../-parts/delivery.tsx';
import { LIST_FILES } from '../../-parts/list-files.ts';
import { ROW_FIGURES } from '../../-parts/row-figures.ts';
import { byName, useChoice } from '../../../../parts/use-choice.ts';
import { AUDITS, STATUSES } from '../../-parts/inventory-states.ts';
import { useStateFilters } from '../../-parts/state-filters.ts';
import { RowLink } from '../../../../parts/row-link.tsx';

const SORTS = [
  'name',
  '-name',
  'bid',
  '-bid',
  'daily_budget',
  '-daily_budget',
  ...figureSorts('advertiser'),
] as const;

type Words = Same<(typeof campaign)['en']>;

const COLUMNS: readonly Column<Campaign, Words>[] = [
  {
    key: 'name',
    sort: 'name',
    title: (t) => t.name,
    cell: ({ id, name }) => <RowLink to={`/advertiser/campaigns/${id}`}>{name}</RowLink>,
  },
  { key: 'status', title: (t) => t.status, cell: ({ status }) => <State state={status} /> },
  { key: 'review', title: (t) => t.review, cell: (row) => <State state={row.audit_status} /> },
  {
    key: 'delivery',
    title: (t) => t.delivery,
    cell: (row) => <Delivery row={row} ids={{ campaign: row.id }} />,
  },
  {
    key: 'bid',
    sort: 'bid',
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
    sort: 'daily_budget',
    title: (t) => t.dailyBudget,
    isNumber: true,
    cell: (row) => <BudgetCell level="campaign" row={row} />,
  },
  { key: 'actions', title: () => '', cell: (row) => <RowActions level="campaign" row={row} /> },
];

export const Route = createFileRoute('/advertiser/_in/campaigns/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      ...figuresSearch(raw),
      page: numberOf(raw['page']),
      keyword: textOf(raw['keyword']),
      sort: oneOf(SORTS, raw['sort']),
      status: oneOf(STATUSES, raw['status']),
      audit_status: oneOf(AUDITS, raw['audit_status']),
      pricing_model: oneOf(PRICING_MODELS, raw['pricing_model']),
    }),
  loaderDeps: ({ search }) => asked(search),
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(list(deps));
  },
  staticData: { title: (language) => titles[language].campaign, views: 'campaigns' },
  component: Campaigns,
});

function Campaigns() {
  const t = useTexts(campaign);
  const l = useTexts(launchTexts);
  const { open, close } = useMarks();
  const stateFilters = useStateFilters();
  const search = Route.useSearch();
  const change = useSearchChange();
  const create = <ButtonLink to="/advertiser/campaigns/new">{t.create}</ButtonLink>;
  const timeZone = useFigureZone(search);
  const rows = narrowed(search);
  const { page: _page, sort, ...filters } = rows;
  const query = list(asked(search, timeZone));
  const of = ROW_FIGURES.campaign;
  const figures = useRowFigures(of, { query, columns: COLUMNS, search });
  const choice = useChoice(query.queryKey, byName);
  return (
    <Page title={t.title} main={create}>
      <Filters
        values={rows}
        filters={[
          { kind: 'text', name: 'keyword', label: t.name },
          ...stateFilters,
          {
            kind: 'choice',
            name: 'pricing_model',
            label: t.pricing,
            options: PRICING_MODELS.map((value) => ({
              value,
              label: `${l.per[value]}${open}${value}${close}`,
            })),
          },
        ]}
        onChange={change}
      >
        <FiguresControls of={of} search={search} timeZone={timeZone} onChange={change} />
      </Filters>
      <List
        label={t.title}
        query={query}
        columns={figures.columns}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none, next: create }}
        searchEmpty={Object.keys(filters).length > 0 ? { title: t.noneFound } : null}
        sort={{
          by: sort,
          onSort: (by) => change(sortedBy(by, timeZone)),
        }}
        choice={choice}
        file={<ListCsv query={query} file={{ ...LIST_FILES.campaign, figures }} />}
        onPage={(page) => change({ page })}
      />
      <InventoryBulk level="campaign" {...choice} />
      <FiguresNote of={of} figures={figures} search={search} />
    </Page>
  );
}
