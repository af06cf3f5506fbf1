import { Button, SimpleGrid, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import type { Campaign } from '../../../../client/routes.ts';
import {
  PRICING_MODELS,
  type PricingModel,
  ROTATION_MODES,
} from '../../../../../domain/inventory.ts';
import { useWrite } from '../../../api.ts';
import { EditForm, ifMatch } from '../../../parts/edit-form.tsx';
import { MoneyField, SelectField, TextField } from '../../../parts/fields.tsx';
import { Folds } from '../../../parts/folds.tsx';
import { useMarks, useTexts } from '../../../parts/texts.ts';
import { told } from '../../../parts/toast.ts';
import { one, save } from '../../../queries/advertiser/campaign.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';
import { common } from '../../../texts/common.ts';
import { targetingTexts } from '../../../texts/targeting.ts';
import { FlightFields } from './flight-fields.tsx';
import { TrackerField } from './launch-fields.tsx';
import { paysForConversions } from './launch-values.ts';
import { TargetingFields, useMoreTargeting } from './targeting-fields.tsx';
import { askOfTargeting, targetingOf } from './targeting-values.ts';

const valuesOf = (row: Campaign) => ({
  name: row.name,
  landing_url: row.landing_url,
  pricing_model: row.pricing_model as PricingModel,
  bid: row.bid,
  tracker_id: row.tracker_id,
  daily_budget: row.daily_budget,
  total_budget: row.total_budget,
  rotation_mode: row.rotation_mode as (typeof ROTATION_MODES)[number],
  start_date: row.start_date,
  end_date: row.end_date,
  ...targetingOf(row, 'campaign'),
});
type Values = ReturnType<typeof valuesOf>;

/** Settings of a campaign where they stand; who comes second sees what is different now. */
export function CampaignEdit({ row, onDone }: { row: Campaign; onDone: () => void }) {
  const t = useTexts(inventory);
  const l = useTexts(launchTexts);
  const { open, close } = useMarks();
  const g = useTexts(targetingTexts);
  const c = useTexts(common);
  const more = useMoreTargeting();
  const queries = useQueryClient();
  const { mutateAsync } = useWrite(save);
  return (
    <EditForm<Values, Campaign>
      route="PUT /api/advertiser/campaigns/{id}"
      row={row}
      valuesOf={valuesOf}
      names={{ ...namesIn(t, l), ...g.fields }}
      reread={async () => await queries.fetchQuery({ ...one(row.id), staleTime: 0 })}
      save={async ({ bid, ...values }, version) => {
        const body = { ...askOfTargeting(values), ...(bid === null ? {} : { bid }) };
        const path = { id: row.id };
        const saved = await mutateAsync({ path, headers: ifMatch(version), body });
        told(saved.audit_status === 'PENDING' ? t.savedReview : t.saved);
        onDone();
      }}
      cancel={
        <Button variant="default" onClick={onDone}>
          {c.cancel}
        </Button>
      }
    >
      <Text size="sm" c="dimmed">
        {t.editHelp}
      </Text>
      <TextField name="name" label={t.name} required />
      <TextField name="landing_url" label={t.landing} help={l.landingHelp} type="url" />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <SelectField
          name="pricing_model"
          label={t.pricing}
          options={PRICING_MODELS.map((value) => ({
            value,
            label: `${l.per[value]}${open}${value}${close}`,
          }))}
          required
        />
        <MoneyField name="bid" label={t.bid} required />
        <MoneyField name="daily_budget" label={t.dailyBudget} help={t.budgetHelp} />
        <MoneyField name="total_budget" label={t.totalBudget} help={t.noLimit} />
        <FlightFields />
      </SimpleGrid>
      <Conversions />
      <SelectField
        name="rotation_mode"
        label={t.rotation}
        options={ROTATION_MODES.map((value) => ({ value, label: t.rotations[value] }))}
      />
      <TargetingFields />
      <Folds folds={[more]} />
    </EditForm>
  );
}

function Conversions() {
  const model = useWatch<Values, 'pricing_model'>({ name: 'pricing_model' });
  return paysForConversions(model) ? <TrackerField /> : null;
}

type Words = Readonly<Record<string, unknown>>;

/** Words of the fields, for the comparison of two people's changes. */
const namesIn = (t: Words, l: Words): Record<string, string> => ({
  name: String(t['name']),
  landing_url: String(t['landing']),
  pricing_model: String(t['pricing']),
  bid: String(t['bid']),
  tracker_id: String(t['tracker']),
  daily_budget: String(t['dailyBudget']),
  total_budget: String(t['totalBudget']),
  rotation_mode: String(t['rotation']),
  start_date: String(l['start']),
  end_date: String(l['end']),
});
