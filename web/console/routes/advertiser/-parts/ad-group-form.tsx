import { SimpleGrid, Text } from '@mantine/core';
import type { AdGroup } from '../../../../client/routes.ts';
import { MoneyField, TextField } from '../../../parts/fields.tsx';
import { Folds } from '../../../parts/folds.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { PickField } from '../../../parts/pick-field.tsx';
import { campaignPick } from '../../../queries/advertiser/picks.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { FlightFields } from './flight-fields.tsx';
import { TargetingFields, useMoreTargeting } from './targeting-fields.tsx';
import { emptyTargeting, targetingOf } from './targeting-values.ts';

export const valuesOfAdGroup = (row: AdGroup) => ({
  name: row.name,
  bid: row.bid,
  daily_budget: row.daily_budget,
  start_date: row.start_date,
  end_date: row.end_date,
  ...targetingOf(row, 'adgroup'),
});
export type AdGroupValues = ReturnType<typeof valuesOfAdGroup>;

export const EMPTY_AD_GROUP: AdGroupValues = {
  name: '',
  bid: null,
  daily_budget: null,
  start_date: null,
  end_date: null,
  ...emptyTargeting('adgroup'),
};

/** A group's own settings; what is empty is its campaign's. */
export function AdGroupFields() {
  const t = useTexts(inventory);
  const more = useMoreTargeting();
  return (
    <>
      <Text size="sm" c="dimmed">
        {t.adGroupHelp}
      </Text>
      <TextField name="name" label={t.name} required />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <MoneyField name="bid" label={t.bid} help={t.asCampaign} />
        <MoneyField name="daily_budget" label={t.dailyBudget} help={t.noLimit} />
        <FlightFields />
      </SimpleGrid>
      <TargetingFields />
      <Folds folds={[more]} />
    </>
  );
}

export function CampaignField() {
  const t = useTexts(inventory);
  return <PickField name="campaign_id" label={t.campaign} source={campaignPick} required />;
}

export const namesOfFields = (
  t: Record<'name' | 'bid' | 'dailyBudget', string>,
  l: Record<'start' | 'end', string>,
): Record<string, string> => ({
  name: t.name,
  bid: t.bid,
  daily_budget: t.dailyBudget,
  start_date: l.start,
  end_date: l.end,
});
