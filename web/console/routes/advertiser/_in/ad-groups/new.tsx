import { createFileRoute } from '@tanstack/react-router';
import { useWrite } from '../../../../api.ts';
import { Form } from '../../../../parts/form.tsx';
import { Page } from '../../../../parts/page.tsx';
import { numberOf, stated } from '../../../../parts/search.ts';
import { useTexts } from '../../../../parts/texts.ts';
import { create } from '../../../../queries/advertiser/ad-group.ts';
import { inventory } from '../../../../texts/advertiser/inventory.ts';
import { titles } from '../../../../texts/titles.ts';
import { common } from '../../../../texts/common.ts';
import {
  AdGroupFields,
  type AdGroupValues,
  CampaignField,
  EMPTY_AD_GROUP,
} from '../../-parts/ad-group-form.tsx';
import { askOfTargeting } from '../../-parts/targeting-values.ts';

export const Route = createFileRoute('/advertiser/_in/ad-groups/new')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({ campaign_id: numberOf(raw['campaign_id']) }),
  staticData: { title: (language) => titles[language].inventoryNewAdGroup },
  component: NewAdGroup,
});

interface Values extends AdGroupValues {
  campaign_id: number | null;
}

function NewAdGroup() {
  const t = useTexts(inventory);
  const c = useTexts(common);
  const { campaign_id: campaign = null } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { mutateAsync } = useWrite(create);
  return (
    <Page title={t.newAdGroup} crumbs={[{ text: t.adGroups, to: '/advertiser/ad-groups' }]}>
      <Form<Values>
        route="POST /api/advertiser/adgroups"
        values={{ ...EMPTY_AD_GROUP, campaign_id: campaign }}
        submit={c.create}
        send={async ({ campaign_id: id, ...values }) => {
          const made = await mutateAsync({
            body: { ...askOfTargeting(values), campaign_id: id ?? 0 },
          });
          await navigate({
            to: '/advertiser/ad-groups/$id',
            params: { id: made.id },
            ignoreBlocker: true,
          });
        }}
      >
        <CampaignField />
        <AdGroupFields />
      </Form>
    </Page>
  );
}
