import { createFileRoute } from '@tanstack/react-router';
import { useWrite } from '../../../../api.ts';
import { DayField, MoneyField, SelectField, TextField } from '../../../../parts/fields.tsx';
import { Form } from '../../../../parts/form.tsx';
import { Page } from '../../../../parts/page.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { create } from '../../../../queries/advertiser/campaign.ts';
import { campaign } from '../../../../texts/campaign.ts';

const AD_TYPES = ['BANNER', 'NATIVE', 'VIDEO', 'TEXT', 'POPUP'] as const;
const PRICING = ['CPC', 'CPM', 'CPA', 'CPV', 'CPS'] as const;

interface Values {
  name: string;
  ad_type: (typeof AD_TYPES)[number];
  pricing_model: (typeof PRICING)[number];
  bid: number | null;
  daily_budget: number | null;
  landing_url: string;
  start_date: string | null;
}

const EMPTY: Values = {
  name: '',
  ad_type: 'BANNER',
  pricing_model: 'CPC',
  bid: null,
  daily_budget: null,
  landing_url: '',
  start_date: null,
};

export const Route = createFileRoute('/advertiser/_in/campaigns/new')({
  staticData: { title: (language) => campaign[language].create },
  component: NewCampaign,
});

function NewCampaign() {
  const t = useTexts(campaign);
  const navigate = Route.useNavigate();
  const { mutateAsync } = useWrite(create);
  return (
    <Page title={t.create} crumbs={[{ text: t.title, to: '/advertiser/campaigns' }]}>
      <Form<Values>
        values={EMPTY}
        submit={t.create}
        send={async ({ bid, ...values }) => {
          await mutateAsync({ body: { ...values, bid: bid ?? undefined } });
          await navigate({ to: '/advertiser/campaigns', ignoreBlocker: true });
        }}
      >
        <TextField name="name" label={t.name} required />
        <SelectField name="ad_type" label={t.adType} options={AD_TYPES.map(asOption)} required />
        <SelectField
          name="pricing_model"
          label={t.pricing}
          options={PRICING.map(asOption)}
          required
        />
        <MoneyField name="bid" label={t.bid} required />
        <MoneyField name="daily_budget" label={t.dailyBudget} />
        <TextField name="landing_url" label={t.landing} type="url" required />
        <DayField name="start_date" label={t.start} />
      </Form>
    </Page>
  );
}

const asOption = (value: string) => ({ value, label: value });
