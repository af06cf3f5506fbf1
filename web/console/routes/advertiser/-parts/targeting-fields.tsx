import { Fieldset, SimpleGrid, Stack, Text } from '@mantine/core';
import { useFormContext } from 'react-hook-form';
import { FREQUENCY_SCOPES } from '../../../../../domain/inventory.ts';
import { BROWSERS, DEVICES, OSES } from '../../../../../domain/viewer.ts';
import { useCountryOptions } from '../../../parts/countries.ts';
import { DurationField } from '../../../parts/duration-field.tsx';
import { ManyField, NumberField, SelectField, WordsField } from '../../../parts/fields.tsx';
import type { Fold } from '../../../parts/folds.tsx';
import { usePreferences } from '../../../parts/preferences.tsx';
import { clock, weekdayName } from '../../../parts/targeting-words.ts';
import { useTexts } from '../../../parts/texts.ts';
import { TogglesField } from '../../../parts/toggles-field.tsx';
import { common } from '../../../texts/common.ts';
import { targetingTexts } from '../../../texts/targeting.ts';
import { BidAdjustmentsFields } from './bid-adjustments-fields.tsx';
import type { TargetingValues } from './targeting-values.ts';

/** Who sees it: what most campaigns say something of. */
export function TargetingFields() {
  const t = useTexts(targetingTexts);
  const countries = useCountryOptions();
  return (
    <SimpleGrid cols={1} spacing="md">
      <ManyField
        name="target_countries"
        label={t.fields.target_countries}
        placeholder={t.everywhere}
        options={countries}
      />
      <ManyField
        name="target_devices"
        label={t.fields.target_devices}
        placeholder={t.allDevices}
        options={DEVICES.map((value) => ({ value, label: t.deviceNames[value] }))}
      />
      <ManyField
        name="target_os"
        label={t.fields.target_os}
        placeholder={t.allOs}
        options={OSES.map((value) => ({ value, label: t.systemNames[value] }))}
      />
    </SimpleGrid>
  );
}

const MORE = [
  'target_browsers',
  'target_keywords',
  'target_categories',
  'target_languages',
  'weekdays',
  'target_hours',
  'frequency_cap.impressions',
  'frequency_cap.window_seconds',
  'bid_adjustments',
];

/** The rest of it, folded: most campaigns leave it as it is. */
export function useMoreTargeting(): Fold {
  const t = useTexts(targetingTexts);
  return { key: 'more', title: t.more, names: MORE, content: <MoreTargeting /> };
}

function MoreTargeting() {
  const t = useTexts(targetingTexts);
  return (
    <Stack gap="md">
      <ManyField
        name="target_browsers"
        label={t.fields.target_browsers}
        placeholder={t.allBrowsers}
        options={BROWSERS.map((value) => ({ value, label: t.browserNames[value] }))}
      />
      <WordsField name="target_keywords" label={t.fields.target_keywords} help={t.wordsHelp} />
      <WordsField name="target_categories" label={t.fields.target_categories} help={t.wordsHelp} />
      <WordsField
        name="target_languages"
        label={t.fields.target_languages}
        help={t.languagesHelp}
      />
      <ScheduleFields />
      <FrequencyCapFields />
      <BidAdjustmentsFields />
    </Stack>
  );
}

const upTo = (length: number, first = 0): number[] =>
  Array.from({ length }, (_, index) => index + first);
const WEEKDAYS = upTo(7, 1);
const HOURS = upTo(24);

function ScheduleFields() {
  const t = useTexts(targetingTexts);
  const { language } = usePreferences();
  const now = new Date().toISOString().slice(11, 16);
  return (
    <>
      <TogglesField
        name="weekdays"
        label={t.fields.weekdays}
        help={t.weekdaysHelp}
        cols={7}
        options={WEEKDAYS.map((day) => ({
          value: String(day),
          label: weekdayName(day, language),
        }))}
        presets={[
          { label: t.workdays, values: WEEKDAYS.slice(0, 5) },
          { label: t.weekend, values: WEEKDAYS.slice(5) },
        ]}
      />
      <TogglesField
        name="target_hours"
        label={t.fields.target_hours}
        help={t.hoursHelp(now)}
        cols={6}
        options={HOURS.map((hour) => ({ value: String(hour), label: clock(hour) }))}
        presets={[
          { label: t.daytime, values: upTo(12, 8) },
          { label: t.night, values: [...upTo(8), ...upTo(4, 20)] },
        ]}
      />
    </>
  );
}

const WINDOW_SECONDS_MIN = 60;
const WINDOW_SECONDS_MAX = 30 * 86_400;

function FrequencyCapFields() {
  const t = useTexts(targetingTexts);
  const c = useTexts(common);
  const { getValues } = useFormContext<TargetingValues>();
  /** Both or neither: a number without its time says nothing. */
  const alone = (value: unknown, other: 'impressions' | 'window_seconds'): string | true =>
    value === null && getValues(`frequency_cap.${other}`) !== null ? c.required : true;
  const windowFault = (value: unknown): string | true =>
    typeof value === 'number' && (value < WINDOW_SECONDS_MIN || value > WINDOW_SECONDS_MAX)
      ? t.windowFault
      : alone(value, 'impressions');
  return (
    <Fieldset legend={t.fields.frequency_cap}>
      <Text size="sm" c="dimmed" mb="sm">
        {t.capHelp}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <NumberField
          name="frequency_cap.impressions"
          label={t.impressions}
          fault={(value) => alone(value, 'window_seconds')}
        />
        <DurationField
          name="frequency_cap.window_seconds"
          label={t.window}
          unitLabel={t.unit}
          units={t.units}
          first="day"
          fault={windowFault}
        />
        <SelectField
          name="frequency_cap.per"
          label={t.per}
          options={FREQUENCY_SCOPES.map((value) => ({ value, label: t.scopes[value] }))}
        />
      </SimpleGrid>
    </Fieldset>
  );
}
