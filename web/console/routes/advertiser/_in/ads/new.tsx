import { createFileRoute } from '@tanstack/react-router';
import { useWrite } from '../../../../api.ts';
import { Form } from '../../../../parts/form.tsx';
import { Page } from '../../../../parts/page.tsx';
import { numberOf, stated, textOf } from '../../../../parts/search.ts';
import { useTexts } from '../../../../parts/texts.ts';
import { told } from '../../../../parts/toast.ts';
import { create } from '../../../../queries/advertiser/ad.ts';
import { inventory } from '../../../../texts/advertiser/inventory.ts';
import { titles } from '../../../../texts/titles.ts';
import { AdFields, type AdValues, askOfAd, EMPTY_AD } from '../../-parts/ad-form.tsx';

/** As long as the fields of an ad take. */
const LONGEST = { title: 120, description: 1_000, button_text: 40 } as const;

/** What the ad begins with: whose it is, what it shows, and words that were made for it. */
export const Route = createFileRoute('/advertiser/_in/ads/new')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      campaign_id: numberOf(raw['campaign_id']),
      adgroup_id: numberOf(raw['adgroup_id']),
      creative_id: numberOf(raw['creative_id']),
      title: textOf(raw['title'], LONGEST.title),
      description: textOf(raw['description'], LONGEST.description),
      button_text: textOf(raw['button_text'], LONGEST.button_text),
    }),
  staticData: { title: (language) => titles[language].inventoryNewAd },
  component: NewAd,
});

function NewAd() {
  const t = useTexts(inventory);
  const { campaign_id: campaign, ...given } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { mutateAsync } = useWrite(create);
  return (
    <Page title={t.newAd} crumbs={[{ text: t.ads, to: '/advertiser/ads' }]}>
      <Form<AdValues>
        route="POST /api/advertiser/ads"
        values={{ ...EMPTY_AD, ...given }}
        submit={t.submit}
        send={async (values) => {
          const made = await mutateAsync({ body: askOfAd(values) });
          told(t.submitted);
          await navigate({
            to: '/advertiser/ads/$id',
            params: { id: made.id },
            ignoreBlocker: true,
          });
        }}
      >
        <AdFields campaign={campaign} />
      </Form>
    </Page>
  );
}
