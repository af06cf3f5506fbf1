import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Ad, AdGroup } from '../../../../client/routes.ts';
import type { Ask } from '../../../../client/client.ts';
import { RowAction } from '../../../parts/action.tsx';
import { ActionMenu } from '../../../parts/action-menu.tsx';
import { ButtonLink } from '../../../parts/button-link.tsx';
import { ListCsv } from '../../../parts/list-csv.tsx';
import { type Column, List } from '../../../parts/list-page.tsx';
import { linkTo } from '../../../parts/link-to.ts';
import { Money } from '../../../parts/money.tsx';
import { useRowFigures } from '../../../parts/row-figures.tsx';
import type { FiguresSearch } from '../../../parts/row-figures-search.ts';
import { FiguresNote } from '../../../parts/row-figures-controls.tsx';
import { State } from '../../../parts/state.tsx';
import { type Same, useTexts } from '../../../parts/texts.ts';
import { RowLink } from '../../../parts/row-link.tsx';
import { list as listAds } from '../../../queries/advertiser/ad.ts';
import { list as listAdGroups } from '../../../queries/advertiser/ad-group.ts';
import type { Level } from '../../../queries/advertiser/inventory.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { NamedLink } from './named-link.tsx';
import { InventoryBulk } from './inventory-bulk.tsx';
import { LIST_FILES } from './list-files.ts';
import { ROW_FIGURES } from './row-figures.ts';
import { byName, useChoice } from '../../../parts/use-choice.ts';
import { BudgetCell } from './budget-cell.tsx';
import { Delivery } from './delivery.tsx';
import { type Bought, useInventoryActions } from './inventory-actions.ts';
import { belowOf } from './of-parent.tsx';

type Words = Same<(typeof inventory)['en']>;

interface Props<Query> {
  query: Query;
  onPage: (page: number) => void;
  isFiltered?: boolean;
  onSort?: (by: string | undefined) => void;
  /** Where the address says which figures, and the page how one more is made; else the usual ones. */
  figures?: FiguresSearch;
}

export function RowActions({ level, row }: { level: Level; row: Bought }) {
  const { toggle, submit, archive } = useInventoryActions(level, row);
  return (
    <div className="row-actions">
      <RowAction action={toggle} />
      <ActionMenu of={row.name} actions={[submit, archive]} />
    </div>
  );
}

const AD_GROUP_COLUMNS: readonly Column<AdGroup, Words>[] = [
  {
    key: 'name',
    sort: 'name',
    title: (t) => t.name,
    cell: ({ id, name }) => <RowLink to={`/advertiser/ad-groups/${id}`}>{name}</RowLink>,
  },
  { key: 'status', title: (t) => t.status, cell: ({ status }) => <State state={status} /> },
  { key: 'review', title: (t) => t.review, cell: (row) => <State state={row.audit_status} /> },
  {
    key: 'delivery',
    title: (t) => t.delivery,
    cell: (row) => <Delivery row={row} ids={{ campaign: row.campaign_id, adgroup: row.id }} />,
  },
  {
    key: 'bid',
    sort: 'bid',
    title: (t) => t.bid,
    isNumber: true,
    cell: (row, t) =>
      row.bid === null ? (
        <span className="words" style={{ whiteSpace: 'normal' }}>
          {t.asCampaign}
        </span>
      ) : (
        <Money amount={row.bid} />
      ),
  },
  {
    key: 'daily',
    sort: 'daily_budget',
    title: (t) => t.dailyBudget,
    isNumber: true,
    cell: (row) => <BudgetCell level="adgroup" row={row} />,
  },
  { key: 'actions', title: () => '', cell: (row) => <RowActions level="adgroup" row={row} /> },
];

type AdGroupQuery = NonNullable<Ask<'GET /api/advertiser/adgroups'>['query']>;

export function AdGroupList(props: Props<AdGroupQuery>) {
  const { query, onPage, isFiltered = false, onSort, figures: search } = props;
  const t = useTexts(inventory);
  const add = belowOf(query);
  const page = listAdGroups(query);
  const of = ROW_FIGURES.adgroup;
  const figures = useRowFigures(of, { query: page, columns: AD_GROUP_COLUMNS, search });
  const choice = useChoice(page.queryKey, byName);
  const create = (
    <ButtonLink {...linkTo(`/advertiser/ad-groups/new${add}`)} size="sm" variant="default">
      {t.newAdGroup}
    </ButtonLink>
  );
  return (
    <>
      {search === undefined && add !== '' && (
        <Group justify="flex-end" mb="xs">
          {create}
        </Group>
      )}
      <List
        label={t.adGroups}
        query={page}
        choice={choice}
        file={<ListCsv query={page} file={{ ...LIST_FILES.adgroup, figures }} />}
        sort={onSort === undefined ? undefined : { by: query.sort, onSort }}
        columns={figures.columns}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.noAdGroups, next: create }}
        searchEmpty={isFiltered ? { title: t.noneFound } : null}
        onPage={onPage}
      />
      <InventoryBulk level="adgroup" {...choice} />
      <FiguresNote of={of} figures={figures} {...(search === undefined ? {} : { search })} />
    </>
  );
}

const AD_COLUMNS: readonly Column<Ad, Words>[] = [
  {
    key: 'name',
    sort: 'name',
    title: (t) => t.name,
    cell: ({ id, name }) => <RowLink to={`/advertiser/ads/${id}`}>{name}</RowLink>,
  },
  {
    key: 'creative',
    title: (t) => t.creative,
    cell: ({ creative_id: id }) => <NamedLink of="creative" id={id} />,
  },
  { key: 'status', title: (t) => t.status, cell: ({ status }) => <State state={status} /> },
  { key: 'review', title: (t) => t.review, cell: (row) => <State state={row.audit_status} /> },
  {
    key: 'delivery',
    title: (t) => t.delivery,
    cell: (row) => <Delivery row={row} ids={idsOfAd(row)} />,
  },
  {
    key: 'weight',
    sort: 'weight',
    title: (t) => t.weight,
    isNumber: true,
    cell: ({ weight }) => weight,
  },
  { key: 'actions', title: () => '', cell: (row) => <RowActions level="ad" row={row} /> },
];

export const idsOfAd = (row: Ad) => ({
  campaign: row.campaign_id,
  adgroup: row.adgroup_id,
  ad: row.id,
  creative: row.creative_id,
});

type AdQuery = NonNullable<Ask<'GET /api/advertiser/ads'>['query']>;

export function AdList(props: Props<AdQuery> & { beside?: ReactNode }) {
  const { query, onPage, beside, isFiltered = false, onSort, figures: search } = props;
  const t = useTexts(inventory);
  const add = belowOf(query);
  const page = listAds(query);
  const of = ROW_FIGURES.ad;
  const figures = useRowFigures(of, { query: page, columns: AD_COLUMNS, search });
  const choice = useChoice(page.queryKey, byName);
  const create = (
    <ButtonLink {...linkTo(`/advertiser/ads/new${add}`)} size="sm" variant="default">
      {t.newAd}
    </ButtonLink>
  );
  return (
    <>
      {search === undefined && add !== '' && (
        <Group justify="flex-end" mb="xs">
          {beside}
          {create}
        </Group>
      )}
      <List
        label={t.ads}
        query={page}
        choice={choice}
        file={<ListCsv query={page} file={{ ...LIST_FILES.ad, figures }} />}
        sort={onSort === undefined ? undefined : { by: query.sort, onSort }}
        columns={figures.columns}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.noAds, next: create }}
        searchEmpty={isFiltered ? { title: t.noneFound } : null}
        onPage={onPage}
      />
      <InventoryBulk level="ad" {...choice} />
      <FiguresNote of={of} figures={figures} {...(search === undefined ? {} : { search })} />
    </>
  );
}
