import { Tabs } from '@mantine/core';
import { ActionButton } from '../../../../parts/action.tsx';
import { createFileRoute } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Campaign } from '../../../../../client/routes.ts';
import { ActionMenu } from '../../../../parts/action-menu.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Page } from '../../../../parts/page.tsx';
import { PageTabs } from '../../../../parts/page-tabs.tsx';
import { idParams, numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { Section } from '../../../../parts/section.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { one } from '../../../../queries/advertiser/campaign.ts';
import { inventory } from '../../../../texts/advertiser/inventory.ts';
import { titles } from '../../../../texts/titles.ts';
import { AddPictures } from '../../-parts/add-pictures.tsx';
import { AdGroupList, AdList } from '../../-parts/below-lists.tsx';
import { useCopy } from '../../-parts/campaign-copy.ts';
import { CampaignFacts } from '../../-parts/campaign-facts.tsx';
import { ThreeStates } from '../../-parts/three-states.tsx';
import { DeliveryDays } from '../../-parts/delivery-days.tsx';
import { WhyNot } from '../../-parts/delivery.tsx';
import { HistoryList } from '../../../../parts/history-list.tsx';
import { historyOf } from '../../../../parts/history-search.ts';
import { useInventoryActions } from '../../-parts/inventory-actions.ts';
import { InventoryAppeal } from '../../-parts/inventory-appeal.tsx';
import { METRICS } from '../../-parts/metrics.ts';
import { Rejection } from '../../-parts/rejection.tsx';
import { InventoryStats } from '../../-parts/inventory-stats.tsx';
import { statsSearch } from '../../-parts/stats-search.ts';
import { ZoneReach } from '../../-parts/zone-reach.tsx';
import { undoOfChange } from '../../-parts/undo-change.tsx';

const TABS = ['overview', 'adgroups', 'ads', 'history'] as const;

/** Its form is long, and most who look at a campaign change nothing. */
const CampaignEdit = lazy(async () => ({
  default: (await import('../../-parts/campaign-edit.tsx')).CampaignEdit,
}));

export const Route = createFileRoute('/advertiser/_in/campaigns/$id')({
  params: idParams,
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      ...statsSearch(METRICS, raw),
      tab: oneOf(TABS, raw['tab']),
      edit: numberOf(raw['edit']),
      page: numberOf(raw['page']),
    }),
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(one(id));
  },
  staticData: { title: (language) => titles[language].inventoryCampaign },
  component: CampaignPage,
});

function CampaignPage() {
  const { id } = Route.useParams();
  return (
    <Loaded query={one(id)} isPage>
      {(row) => <Shown row={row} />}
    </Loaded>
  );
}

function Shown({ row }: { row: Campaign }) {
  const t = useTexts(inventory);
  const { tab = 'overview', page, edit } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { toggle, submit, archive } = useInventoryActions('campaign', row);
  const copying = useCopy(row);
  const onPage = (next: number): void =>
    void navigate({ search: (was) => ({ ...was, page: next }) });
  const below = { campaign_id: row.id, ...(page === undefined ? {} : { page }) };
  return (
    <Page
      title={row.name}
      crumbs={[{ text: t.campaigns, to: '/advertiser/campaigns' }]}
      beside={<ThreeStates row={row} />}
      actions={edit === undefined && submit.refusal === null ? [submit, toggle] : [toggle]}
      main={<ActionMenu of={row.name} actions={[copying, archive]} />}
    >
      <Rejection level="campaign" row={row} isEdited={edit !== undefined} />
      <WhyNot level="campaign" row={row} ids={{ campaign: row.id }} />
      {edit === undefined && <InventoryAppeal level="campaign" row={row} />}
      <PageTabs tabs={TABS} names={t.tabs} current={tab}>
        <Tabs.Panel value="overview">
          <Overview row={row} />
        </Tabs.Panel>
        <Tabs.Panel value="adgroups">
          <AdGroupList query={below} onPage={onPage} />
        </Tabs.Panel>
        <Tabs.Panel value="ads">
          <AdList query={below} onPage={onPage} beside={<AddPictures row={row} />} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <HistoryList
            query={historyOf('advertiser', {
              subject_type: 'campaign',
              subject_id: row.id,
              ...stated({ page }),
            })}
            undo={undoOfChange}
            onPage={onPage}
          />
        </Tabs.Panel>
      </PageTabs>
    </Page>
  );
}

function Overview({ row }: { row: Campaign }) {
  const t = useTexts(inventory);
  const { edit, ...search } = Route.useSearch();
  const navigate = Route.useNavigate();
  const isEdited = edit !== undefined;
  const setEdit = (on: boolean): void =>
    void navigate({
      search: ({ edit: _was, ...rest }) => (on ? { ...rest, edit: 1 } : rest),
      ignoreBlocker: true,
    });
  return (
    <>
      {!isEdited && (
        <>
          <InventoryStats
            of="campaign"
            id={row.id}
            hasViews={row.pricing_model === 'CPV'}
            search={search}
            onChange={(change) => void navigate({ search: (was) => ({ ...was, ...change }) })}
          />
          {row.audit_status !== 'DRAFT' && <DeliveryDays row={row} />}
          {row.status !== 'ARCHIVED' && <ZoneReach row={row} />}
        </>
      )}
      <Section
        title={t.facts}
        beside={
          isEdited ? null : (
            <ActionButton
              action={{ label: t.edit, run: async () => setEdit(true) }}
              size="compact-sm"
              variant="default"
            />
          )
        }
      >
        {isEdited ? (
          <Suspense>
            <CampaignEdit row={row} onDone={() => setEdit(false)} />
          </Suspense>
        ) : (
          <CampaignFacts row={row} />
        )}
      </Section>
    </>
  );
}
