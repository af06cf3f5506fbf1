import { Button } from '@mantine/core';
import { ActionButton } from '../../../../parts/action.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { AdGroup } from '../../../../../client/routes.ts';
import { useWrite } from '../../../../api.ts';
import { ActionMenu } from '../../../../parts/action-menu.tsx';
import { EditForm, ifMatch } from '../../../../parts/edit-form.tsx';
import { Facts } from '../../../../parts/facts.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Page } from '../../../../parts/page.tsx';
import { idParams, numberOf, stated } from '../../../../parts/search.ts';
import { Section } from '../../../../parts/section.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { told } from '../../../../parts/toast.ts';
import { one, save } from '../../../../queries/advertiser/ad-group.ts';
import { one as campaignOf } from '../../../../queries/advertiser/campaign.ts';
import { inventory } from '../../../../texts/advertiser/inventory.ts';
import { titles } from '../../../../texts/titles.ts';
import { launchTexts } from '../../../../texts/advertiser/launch.ts';
import { common } from '../../../../texts/common.ts';
import { targetingTexts } from '../../../../texts/targeting.ts';
import {
  AdGroupFields,
  type AdGroupValues,
  namesOfFields,
  valuesOfAdGroup,
} from '../../-parts/ad-group-form.tsx';
import { AdList } from '../../-parts/below-lists.tsx';
import { useSchedule, useTargetingRows } from '../../-parts/campaign-facts.tsx';
import { askOfTargeting } from '../../-parts/targeting-values.ts';
import { ThreeStates } from '../../-parts/three-states.tsx';
import { WhyNot } from '../../-parts/delivery.tsx';
import { InventoryStats } from '../../-parts/inventory-stats.tsx';
import { METRICS } from '../../-parts/metrics.ts';
import { statsSearch } from '../../-parts/stats-search.ts';
import { useInventoryActions } from '../../-parts/inventory-actions.ts';
import { InventoryAppeal } from '../../-parts/inventory-appeal.tsx';
import { Rejection } from '../../-parts/rejection.tsx';

export const Route = createFileRoute('/advertiser/_in/ad-groups/$id')({
  params: idParams,
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      ...statsSearch(METRICS, raw),
      edit: numberOf(raw['edit']),
      page: numberOf(raw['page']),
    }),
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(one(id));
  },
  staticData: { title: (language) => titles[language].inventoryAdGroup },
  component: AdGroupPage,
});

function AdGroupPage() {
  const { id } = Route.useParams();
  return (
    <Loaded query={one(id)} isPage>
      {(row) => <Shown row={row} />}
    </Loaded>
  );
}

function Shown({ row }: { row: AdGroup }) {
  const t = useTexts(inventory);
  const { edit, page, ...search } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { data: parent } = useQuery(campaignOf(row.campaign_id));
  const { toggle, submit, archive } = useInventoryActions('adgroup', row);
  const setEdit = (on: boolean): void =>
    void navigate({
      search: ({ edit: _was, ...rest }) => (on ? { ...rest, edit: 1 } : rest),
      ignoreBlocker: true,
    });
  return (
    <Page
      title={row.name}
      crumbs={[
        { text: t.campaigns, to: '/advertiser/campaigns' },
        {
          text: parent?.name ?? `#${row.campaign_id}`,
          to: `/advertiser/campaigns/${row.campaign_id}`,
        },
      ]}
      beside={<ThreeStates row={row} />}
      actions={edit === undefined && submit.refusal === null ? [submit, toggle] : [toggle]}
      main={<ActionMenu of={row.name} actions={[archive]} />}
    >
      <Rejection level="adgroup" row={row} isEdited={edit !== undefined} />
      <WhyNot level="adgroup" row={row} ids={{ campaign: row.campaign_id, adgroup: row.id }} />
      {edit === undefined && <InventoryAppeal level="adgroup" row={row} />}
      {edit === undefined && (
        <InventoryStats
          of="adgroup"
          id={row.id}
          hasViews={parent?.pricing_model === 'CPV'}
          search={search}
          onChange={(change) => void navigate({ search: (was) => ({ ...was, ...change }) })}
        />
      )}
      <Section
        title={t.facts}
        beside={
          edit === undefined && (
            <ActionButton
              action={{ label: t.edit, run: async () => setEdit(true) }}
              size="compact-sm"
              variant="default"
            />
          )
        }
      >
        {edit === undefined ? (
          <AdGroupFacts row={row} />
        ) : (
          <Edit row={row} onDone={() => setEdit(false)} />
        )}
      </Section>
      <Section title={t.ads}>
        <AdList
          query={{ adgroup_id: row.id, ...(page === undefined ? {} : { page }) }}
          onPage={(next) => void navigate({ search: (was) => ({ ...was, page: next }) })}
        />
      </Section>
    </Page>
  );
}

function AdGroupFacts({ row }: { row: AdGroup }) {
  const t = useTexts(inventory);
  const targeting = useTargetingRows(row, t.asCampaign);
  const schedule = useSchedule();
  const isOpen = row.start_date === null && row.end_date === null;
  return (
    <Facts
      rows={[
        [t.bid, row.bid === null ? t.asCampaign : <Money amount={row.bid} />],
        [
          t.dailyBudget,
          row.daily_budget === null ? t.noLimit : <Money amount={row.daily_budget} />,
        ],
        [t.schedule, isOpen ? t.asCampaign : schedule(row)],
        ...targeting,
      ]}
    />
  );
}

function Edit({ row, onDone }: { row: AdGroup; onDone: () => void }) {
  const t = useTexts(inventory);
  const l = useTexts(launchTexts);
  const g = useTexts(targetingTexts);
  const c = useTexts(common);
  const queries = useQueryClient();
  const { mutateAsync } = useWrite(save);
  return (
    <EditForm<AdGroupValues, AdGroup>
      route="PUT /api/advertiser/adgroups/{id}"
      row={row}
      valuesOf={valuesOfAdGroup}
      names={{ ...namesOfFields(t, l), ...g.fields }}
      reread={async () => await queries.fetchQuery({ ...one(row.id), staleTime: 0 })}
      save={async (values, version) => {
        const body = askOfTargeting(values);
        await mutateAsync({ path: { id: row.id }, headers: ifMatch(version), body });
        told(t.saved);
        onDone();
      }}
      cancel={
        <Button variant="default" onClick={onDone}>
          {c.cancel}
        </Button>
      }
    >
      <AdGroupFields />
    </EditForm>
  );
}
