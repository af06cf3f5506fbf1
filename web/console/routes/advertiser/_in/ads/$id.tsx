import { Button } from '@mantine/core';
import { ActionButton } from '../../../../parts/action.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { Ad } from '../../../../../client/routes.ts';
import { useWrite } from '../../../../api.ts';
import { ActionMenu } from '../../../../parts/action-menu.tsx';
import { EditForm, ifMatch } from '../../../../parts/edit-form.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Page } from '../../../../parts/page.tsx';
import { idParams, numberOf, stated } from '../../../../parts/search.ts';
import { Section } from '../../../../parts/section.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { told } from '../../../../parts/toast.ts';
import { one, save } from '../../../../queries/advertiser/ad.ts';
import { one as campaignOf } from '../../../../queries/advertiser/campaign.ts';
import { creativeTexts } from '../../../../texts/advertiser/creative.ts';
import { inventory } from '../../../../texts/advertiser/inventory.ts';
import { titles } from '../../../../texts/titles.ts';
import { common } from '../../../../texts/common.ts';
import { AdRevisions, ServesOn, useAdNames } from '../../-parts/ad-revisions.tsx';
import { AdFacts } from '../../-parts/ad-facts.tsx';
import { AdFields, type AdValues, askOfAd, valuesOfAd } from '../../-parts/ad-form.tsx';
import { AdPreview } from '../../-parts/ad-preview.tsx';
import { idsOfAd } from '../../-parts/below-lists.tsx';
import { ThreeStates } from '../../-parts/three-states.tsx';
import { WhyNot } from '../../-parts/delivery.tsx';
import { InventoryStats } from '../../-parts/inventory-stats.tsx';
import { METRICS } from '../../-parts/metrics.ts';
import { statsSearch } from '../../-parts/stats-search.ts';
import { useInventoryActions } from '../../-parts/inventory-actions.ts';
import { InventoryAppeal } from '../../-parts/inventory-appeal.tsx';
import { Rejection } from '../../-parts/rejection.tsx';

export const Route = createFileRoute('/advertiser/_in/ads/$id')({
  params: idParams,
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      ...statsSearch(METRICS, raw),
      edit: numberOf(raw['edit']),
      left: numberOf(raw['left']),
      right: numberOf(raw['right']),
    }),
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(one(id));
  },
  staticData: { title: (language) => titles[language].inventoryAds },
  component: AdPage,
});

function AdPage() {
  const { id } = Route.useParams();
  return (
    <Loaded query={one(id)} isPage>
      {(row) => <Shown row={row} />}
    </Loaded>
  );
}

function Shown({ row }: { row: Ad }) {
  const t = useTexts(inventory);
  const c = useTexts(creativeTexts);
  const { edit, left, right, ...search } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { data: campaign } = useQuery(campaignOf(row.campaign_id));
  const { toggle, submit, archive } = useInventoryActions('ad', row);
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
          text: campaign?.name ?? `#${row.campaign_id}`,
          to: `/advertiser/campaigns/${row.campaign_id}`,
        },
      ]}
      beside={<ThreeStates row={row} />}
      actions={edit === undefined && submit.refusal === null ? [submit, toggle] : [toggle]}
      main={<ActionMenu of={row.name} actions={[archive]} />}
    >
      <Rejection level="ad" row={row} isEdited={edit !== undefined} />
      <WhyNot level="ad" row={row} ids={idsOfAd(row)} />
      {edit === undefined && <InventoryAppeal level="ad" row={row} />}
      <ServesOn row={row} />
      {edit === undefined ? (
        <>
          <Section title={t.preview}>
            <AdPreview row={row} />
          </Section>
          <InventoryStats
            of="ad"
            id={row.id}
            hasViews={campaign?.pricing_model === 'CPV'}
            search={search}
            onChange={(change) => void navigate({ search: (was) => ({ ...was, ...change }) })}
          />
          <Section
            title={t.facts}
            beside={
              <ActionButton
                action={{ label: t.edit, run: async () => setEdit(true) }}
                size="compact-sm"
                variant="default"
              />
            }
          >
            <AdFacts row={row} />
          </Section>
          <Section title={c.tabs.versions} lead={t.versionsLead}>
            <AdRevisions
              id={row.id}
              left={left}
              right={right}
              onChoose={(change) => void navigate({ search: (was) => ({ ...was, ...change }) })}
            />
          </Section>
        </>
      ) : (
        <Edit row={row} onDone={() => setEdit(false)} />
      )}
    </Page>
  );
}

function Edit({ row, onDone }: { row: Ad; onDone: () => void }) {
  const t = useTexts(inventory);
  const c = useTexts(common);
  const names = useAdNames();
  const queries = useQueryClient();
  const { mutateAsync } = useWrite(save);
  return (
    <EditForm<AdValues, Ad>
      route="PUT /api/advertiser/ads/{id}"
      row={row}
      valuesOf={valuesOfAd}
      names={{
        ...names,
        adgroup_id: t.adGroup,
        name: t.name,
        weight: t.weight,
      }}
      reread={async () => await queries.fetchQuery({ ...one(row.id), staleTime: 0 })}
      save={async (values, version) => {
        const headers = ifMatch(version);
        const saved = await mutateAsync({ path: { id: row.id }, headers, body: askOfAd(values) });
        told(saved.audit_status === 'PENDING' ? t.savedReview : t.saved);
        onDone();
      }}
      cancel={
        <Button variant="default" onClick={onDone}>
          {c.cancel}
        </Button>
      }
    >
      <AdFields campaign={row.campaign_id} />
    </EditForm>
  );
}
