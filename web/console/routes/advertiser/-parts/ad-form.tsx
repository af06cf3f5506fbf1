import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useFormContext } from 'react-hook-form';
import type { Ad } from '../../../../client/routes.ts';
import { NumberField, TextAreaField, TextField } from '../../../parts/fields.tsx';
import { PickField } from '../../../parts/pick-field.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { list as adGroups } from '../../../queries/advertiser/ad-group.ts';
import { adGroupPick } from '../../../queries/advertiser/picks.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';
import { CreativeIdField } from './creative-id-field.tsx';

export const valuesOfAd = (row: Ad) => ({
  adgroup_id: row.adgroup_id as number | null,
  creative_id: row.creative_id as number | null,
  name: row.name,
  landing_url: row.landing_url,
  title: row.title,
  description: row.description,
  button_text: row.button_text,
  brand_name: row.brand_name,
  display_url: row.display_url,
  weight: row.weight as number | null,
});
export type AdValues = ReturnType<typeof valuesOfAd>;

export const EMPTY_AD: AdValues = {
  adgroup_id: null,
  creative_id: null,
  name: '',
  landing_url: null,
  title: null,
  description: null,
  button_text: null,
  brand_name: null,
  display_url: null,
  weight: 50,
};

/** What the API is sent: an empty text is none. */
export function askOfAd({ adgroup_id, creative_id, weight, ...texts }: AdValues) {
  const { name, ...rest } = texts;
  const given = Object.fromEntries(
    Object.entries(rest).map(([field, text]) => [field, text === '' ? null : text]),
  ) as typeof rest;
  return {
    ...given,
    name,
    adgroup_id: adgroup_id ?? 0,
    creative_id: creative_id ?? 0,
    ...(weight === null ? {} : { weight }),
  };
}

export function AdFields({ campaign }: { campaign?: number | undefined }) {
  const t = useTexts(inventory);
  const l = useTexts(launchTexts);
  return (
    <>
      <GroupField campaign={campaign} />
      <CreativeIdField />
      <TextField name="name" label={t.name} help={l.nameHelp} required />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextField name="title" label={t.titleField} maxLength={120} />
        <TextField name="brand_name" label={t.brand} maxLength={80} />
        <TextField name="button_text" label={t.button} placeholder={l.buttonHint} maxLength={40} />
        <TextField name="display_url" label={t.displayUrl} placeholder="shop.example/sale" />
      </SimpleGrid>
      <TextAreaField name="description" label={t.description} rows={2} maxLength={1_000} />
      <TextField name="landing_url" label={t.landing} help={t.asCampaign} type="url" />
      <NumberField name="weight" label={t.weight} help={t.weightHelp} min={1} max={100} />
    </>
  );
}

function GroupField({ campaign }: { campaign: number | undefined }) {
  const t = useTexts(inventory);
  const above = campaign === undefined ? {} : { campaign_id: campaign };
  const { data } = useQuery(adGroups(above));
  const { getValues, setValue } = useFormContext<AdValues>();
  const only = data?.total === 1 ? data.items[0]?.id : undefined;
  // Where there is one group there is nothing to choose; it is known only once it was read.
  useEffect(() => {
    if (only !== undefined && getValues('adgroup_id') === null) setValue('adgroup_id', only);
  }, [only, getValues, setValue]);
  return <PickField name="adgroup_id" label={t.adGroup} source={adGroupPick(above)} required />;
}
