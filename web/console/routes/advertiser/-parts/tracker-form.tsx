import { SimpleGrid } from '@mantine/core';
import { useWatch } from 'react-hook-form';
import { COUNT_MODES, TRACKER_EVENT_TYPES, TRACKER_TYPES } from '../../../../../domain/tracker.ts';
import type { Tracker } from '../../../../client/routes.ts';
import {
  MoneyField,
  NumberField,
  SelectField,
  SwitchField,
  TextField,
} from '../../../parts/fields.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { trackerTexts } from '../../../texts/advertiser/tracker.ts';

type EventType = (typeof TRACKER_EVENT_TYPES)[number];

export const valuesOfTracker = (row: Tracker) => ({
  name: row.name,
  type: row.type,
  event_type: row.event_type as EventType,
  count_mode: row.count_mode,
  conversion_value: row.conversion_value,
  attribution_window: row.attribution_window,
  validation_days: row.validation_days,
  postback_url: row.postback_url,
  require_sig: row.require_sig,
});
export type TrackerValues = ReturnType<typeof valuesOfTracker>;

export const EMPTY_TRACKER: TrackerValues = {
  name: '',
  type: 'PIXEL',
  event_type: 'PURCHASE',
  count_mode: 'ONE',
  conversion_value: 0,
  attribution_window: 30,
  validation_days: null,
  postback_url: null,
  require_sig: false,
};

/** Only a server can sign. */
export const askOfTracker = (values: TrackerValues): TrackerValues => ({
  ...values,
  postback_url: values.postback_url === '' ? null : values.postback_url,
  require_sig: values.type === 'POSTBACK' && values.require_sig,
});

export function TrackerFields() {
  const t = useTexts(trackerTexts);
  const type = useWatch<TrackerValues, 'type'>({ name: 'type' });
  return (
    <>
      <TextField name="name" label={t.name} help={t.nameHelp} required />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <SelectField
          name="type"
          label={t.type}
          options={TRACKER_TYPES.map((value) => ({ value, label: t.types[value] }))}
          required
        />
        <SelectField
          name="event_type"
          label={t.event}
          options={TRACKER_EVENT_TYPES.map((value) => ({ value, label: t.events[value] }))}
          required
        />
        <SelectField
          name="count_mode"
          label={t.count}
          options={COUNT_MODES.map((value) => ({ value, label: t.counts[value] }))}
          required
        />
        <NumberField name="attribution_window" label={t.window} min={1} max={90} required />
        <NumberField
          name="validation_days"
          label={t.validation}
          help={t.validationHelp}
          isHelpBelow
          min={0}
          max={90}
        />
        <MoneyField name="conversion_value" label={t.value} required />
      </SimpleGrid>
      <TextField name="postback_url" label={t.postbackUrl} help={t.postbackHelp} type="url" />
      {type === 'POSTBACK' && (
        <SwitchField name="require_sig" label={t.requireSig} help={t.requireSigHelp} />
      )}
    </>
  );
}
