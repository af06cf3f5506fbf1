import { Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import { useFieldArray, useWatch } from 'react-hook-form';
import { countryName, useCountryOptions } from '../../../parts/countries.ts';
import { NumberField, type Option, SelectField } from '../../../parts/fields.tsx';
import { usePreferences } from '../../../parts/preferences.tsx';
import { useTexts, wordOf } from '../../../parts/texts.ts';
import { targetingTexts } from '../../../texts/targeting.ts';
import { type Dimension, DIMENSIONS, type TargetingValues } from './targeting-values.ts';

/** What the bid changes by where the viewer is one of these. */
export function BidAdjustmentsFields() {
  const t = useTexts(targetingTexts);
  const { language } = usePreferences();
  const countries = useCountryOptions();
  const named = (dimension: 'device' | 'os', names: Readonly<Record<string, string>>): Option[] =>
    DIMENSIONS[dimension].map((value) => ({ value, label: names[value] ?? value }));
  return (
    <Fieldset legend={t.fields.bid_adjustments}>
      <Text size="sm" c="dimmed" mb="sm">
        {t.adjustHelp}
      </Text>
      <Stack gap="md">
        <Rows
          dimension="device"
          options={named('device', t.deviceNames)}
          nameOf={(value) => wordOf(t.deviceNames, value)}
        />
        <Rows
          dimension="geo"
          options={countries}
          nameOf={(value) => countryName(value, language)}
        />
        <Rows
          dimension="os"
          options={named('os', t.systemNames)}
          nameOf={(value) => wordOf(t.systemNames, value)}
        />
      </Stack>
    </Fieldset>
  );
}

interface RowsProps {
  dimension: Dimension;
  options: readonly Option[];
  nameOf: (value: string) => string;
}

function Rows({ dimension, options, nameOf }: RowsProps) {
  const t = useTexts(targetingTexts);
  const name = `bid_adjustments.${dimension}` as const;
  const { fields, append, remove } = useFieldArray<TargetingValues, typeof name>({ name });
  const rows = useWatch<TargetingValues, typeof name>({ name });
  const called = t.dimensions[dimension];
  return (
    <Stack gap="xs">
      {fields.map(({ id }, index) => {
        const own = rows[index]?.value ?? null;
        const others = new Set(rows.map(({ value }) => value).filter((value) => value !== own));
        return (
          <Group key={id} gap="xs" align="flex-start" wrap="wrap">
            <SelectField
              name={`${name}.${index}.value`}
              label={called}
              options={withOwn(options, own, nameOf).filter(({ value }) => !others.has(value))}
              required
            />
            <NumberField
              name={`${name}.${index}.percent`}
              label={t.percent}
              suffix="%"
              decimals={6}
              fault={(value) => (isPercent(value) ? true : t.percentFault)}
              required
            />
            <Button
              variant="default"
              mt={25}
              aria-label={t.remove(called, own === null ? String(index + 1) : nameOf(own))}
              onClick={() => remove(index)}
            >
              ✕
            </Button>
          </Group>
        );
      })}
      <Group>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => append({ value: null, percent: null })}
        >
          {t.add(called)}
        </Button>
      </Group>
    </Stack>
  );
}

/** What the API took and no list knows stays what it is. */
const withOwn = (
  options: readonly Option[],
  own: string | null,
  nameOf: (value: string) => string,
): readonly Option[] =>
  own === null || options.some(({ value }) => value === own)
    ? options
    : [...options, { value: own, label: nameOf(own) }];

const PERCENT_MIN = -90;
const PERCENT_MAX = 500;

/** The API would cut what is beyond, and drop a 0: said here, so that nothing is saved otherwise than written. */
const isPercent = (value: unknown): boolean =>
  typeof value === 'number' && value >= PERCENT_MIN && value <= PERCENT_MAX && value !== 0;
