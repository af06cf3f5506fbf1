import { Fieldset, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useFormContext, useFormState, useWatch } from 'react-hook-form';
import { AD_TYPES, PRICING_MODELS } from '../../../../../domain/inventory.ts';
import { MoneyField, SelectField, TextAreaField, TextField } from '../../../parts/fields.tsx';
import { PickField } from '../../../parts/pick-field.tsx';
import { Folds } from '../../../parts/folds.tsx';
import { useMarks, useTexts } from '../../../parts/texts.ts';
import { told } from '../../../parts/toast.ts';
import { trackerPick } from '../../../queries/advertiser/picks.ts';
import { list as trackers } from '../../../queries/advertiser/tracker.ts';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';
import { CreativeField } from './creative-field.tsx';
import { hasNoSize, keyOf, nameOf, type Shown, withoutSize } from './shown.ts';
import { FlightFields } from './flight-fields.tsx';
import { LaunchPreview } from './launch-preview.tsx';
import { isVideo, type LaunchValues, paysForConversions, showsVideo } from './launch-values.ts';
import { TargetingFields, useMoreTargeting } from './targeting-fields.tsx';
import { useSizes } from './zip-size.tsx';

/** First what a viewer sees: the first file says the kind of ad and suggests a name. */
export function AdFields() {
  const t = useTexts(launchTexts);
  const { setValue, getValues } = useFormContext<LaunchValues>();
  const { isSubmitted } = useFormState<LaunchValues>();
  const [adType, shown] = useWatch<LaunchValues, ['ad_type', 'creatives']>({
    name: ['ad_type', 'creatives'],
  });
  const suggested = useRef('');
  const follow = (next: Shown): void => {
    // A name that nobody has written is that of the file which is shown.
    if (['', suggested.current].includes(getValues('name'))) {
      suggested.current = withoutSize(nameOf(next));
      setValue('name', suggested.current, { shouldDirty: true, shouldValidate: isSubmitted });
    }
    if (isVideo(next) === showsVideo(getValues('ad_type'))) return;
    setValue('ad_type', isVideo(next) ? 'VIDEO' : 'BANNER');
    told(t.kindFollows);
  };
  return (
    <Fieldset legend={t.ad}>
      <SimpleGrid cols={1} spacing="md">
        <SelectField
          name="ad_type"
          label={t.kind}
          options={AD_TYPES.map((value) => ({ value, label: t.kinds[value] }))}
          fault={(value) => kindFault(value as LaunchValues['ad_type'], shown, t)}
          required
        />
        {adType !== 'TEXT' && <CreativeField name="creatives" onShown={follow} />}
        {adType !== 'TEXT' &&
          shown
            .filter((each) => each.from === 'file' && hasNoSize(each.asset))
            .map((zip) => <SizeField key={keyOf(zip)} zip={zip} />)}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextField
            name="title"
            label={t.titleField}
            maxLength={120}
            required={adType === 'TEXT' || adType === 'NATIVE'}
          />
          <TextField name="brand_name" label={t.brand} maxLength={80} />
        </SimpleGrid>
        {(adType === 'TEXT' || adType === 'NATIVE') && (
          <TextAreaField name="description" label={t.description} rows={2} maxLength={1_000} />
        )}
        <TextField name="button_text" label={t.button} placeholder={t.buttonHint} maxLength={40} />
        <LaunchPreview />
      </SimpleGrid>
    </Fieldset>
  );
}

function kindFault(
  adType: LaunchValues['ad_type'],
  shown: readonly Shown[],
  t: { wrongKind: string; wrongVideo: string },
): true | string {
  if (adType === 'TEXT' || shown.every((each) => isVideo(each) === showsVideo(adType))) return true;
  return showsVideo(adType) ? t.wrongKind : t.wrongVideo;
}

/** Of a zip that does not say its size; without one it goes where any size is taken. */
function SizeField({ zip }: { zip: Shown }) {
  const t = useTexts(creativeTexts);
  const { open, close } = useMarks();
  return (
    <SelectField
      name={`sizes.${keyOf(zip)}`}
      label={`${t.size}${open}${nameOf(zip)}${close}`}
      help={t.anySize}
      options={useSizes()}
      clearable
    />
  );
}

export function TermsFields() {
  const t = useTexts(launchTexts);
  const { open, close } = useMarks();
  const model = useWatch<LaunchValues, 'pricing_model'>({ name: 'pricing_model' });
  return (
    <Fieldset legend={t.where}>
      <SimpleGrid cols={1} spacing="md">
        <TextField
          name="landing_url"
          label={t.landing}
          help={t.landingHelp}
          type="url"
          placeholder="https://"
          required
        />
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <SelectField
            name="pricing_model"
            label={t.pricing}
            options={PRICING_MODELS.map((value) => ({
              value,
              label: `${t.per[value]}${open}${value}${close}`,
            }))}
            required
          />
          <MoneyField name="bid" label={t.bid} required />
          <MoneyField name="daily_budget" label={t.dailyBudget} placeholder={t.noLimit} />
        </SimpleGrid>
        {paysForConversions(model) && <TrackerField />}
        <TextField name="name" label={t.name} help={t.nameHelp} required />
      </SimpleGrid>
    </Fieldset>
  );
}

export function TrackerField() {
  const t = useTexts(launchTexts);
  const { data } = useQuery(trackers({ status: 'ACTIVE' }));
  return (
    <PickField
      name="tracker_id"
      label={t.tracker}
      help={data?.total === 0 ? t.noTracker : t.trackerHelp}
      source={trackerPick}
      required
    />
  );
}

const WHEN = ['start_date', 'end_date', 'total_budget'];
const WHO = ['target_countries', 'target_devices', 'target_os'];

/** Closed until somebody wants it: the usual campaign is for everybody, from now on. */
export function MoreFields() {
  const t = useTexts(launchTexts);
  const more = useMoreTargeting();
  const when = (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      <FlightFields isHelpBelow />
      <MoneyField name="total_budget" label={t.totalBudget} placeholder={t.noLimit} />
    </SimpleGrid>
  );
  const who = (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t.targetingHelp}
      </Text>
      <TargetingFields />
    </>
  );
  return (
    <Folds
      folds={[
        { key: 'when', title: t.when, names: WHEN, content: when },
        { key: 'who', title: t.targeting, names: WHO, content: who },
        more,
      ]}
    />
  );
}
