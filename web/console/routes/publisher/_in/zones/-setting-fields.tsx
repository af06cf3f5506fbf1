import { Fieldset, SimpleGrid } from '@mantine/core';
import { useWatch } from 'react-hook-form';
import { NumberField, SelectField, SwitchField, TextField } from '../../../../parts/fields.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { zone } from '../../../../texts/zone.ts';
import type { ZoneType } from './-zone-types.ts';
import { popupFieldsOf, positionOf, settingsOf, type ZoneValues } from './-zone-values.ts';

const TRIGGERS = ['LOAD', 'DELAY', 'SCROLL', 'CLICK'] as const;
const POSITIONS = ['CENTER', 'TOP', 'BOTTOM', 'LEFT', 'RIGHT'] as const;
const WINDOWS = [3_600, 21_600, 86_400, 604_800, 2_592_000] as const;

const DRAWN = {
  trigger: TriggerFields,
  frequency: FrequencyFields,
  popup: PopupFields,
  couplet: CoupletFields,
  rewarded: RewardedFields,
};

/** Settings that only some types have (interface 2.12). */
export const SettingFields = ({ type }: { type: ZoneType }) =>
  settingsOf(type).map((key) => {
    const Fields = DRAWN[key];
    return <Fields key={key} type={type} />;
  });

function TriggerFields() {
  const t = useTexts(zone);
  const type = useWatch<ZoneValues, 'trigger.type'>({ name: 'trigger.type' });
  return (
    <Fieldset legend={t.triggerTitle}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <SelectField
          name="trigger.type"
          label={t.trigger}
          options={TRIGGERS.map((value) => ({ value, label: t.triggers[value] }))}
        />
        {type === 'DELAY' && (
          <NumberField name="trigger.delay_seconds" label={t.delay} min={0} max={300} required />
        )}
        {type === 'SCROLL' && (
          <NumberField name="trigger.scroll_percent" label={t.scroll} min={1} max={100} required />
        )}
      </SimpleGrid>
    </Fieldset>
  );
}

function FrequencyFields() {
  const t = useTexts(zone);
  const now = useWatch<ZoneValues, 'frequency.window_seconds'>({
    name: 'frequency.window_seconds',
  });
  const windows = [...new Set([...WINDOWS, now])].toSorted((one, other) => one - other);
  return (
    <Fieldset legend={t.frequencyTitle}>
      <SimpleGrid cols={2}>
        <NumberField
          name="frequency.impressions"
          label={t.frequencyTimes}
          min={1}
          max={1000}
          required
        />
        <SelectField
          name="frequency.window_seconds"
          label={t.frequencyWindow}
          numeric
          options={windows.map((value) => ({ value: String(value), label: t.windows(value) }))}
        />
      </SimpleGrid>
    </Fieldset>
  );
}

function PopupFields({ type }: { type: ZoneType }) {
  const t = useTexts(zone);
  const overlay = useWatch<ZoneValues, 'popup.overlay'>({ name: 'popup.overlay' });
  const has = popupFieldsOf(type, { overlay });
  return (
    <Fieldset legend={t.popupTitle}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {has.includes('position') && (
          <SelectField
            name="popup.position"
            label={t.position}
            options={POSITIONS.map((value) => ({ value, label: positionOf(type, value, t) }))}
          />
        )}
        <NumberField name="popup.close_delay_seconds" label={t.closeDelay} min={0} max={30} />
        {has.includes('overlay') && <SwitchField name="popup.overlay" label={t.overlay} />}
        {has.includes('close_button') && (
          <SwitchField name="popup.close_button" label={t.closeButton} />
        )}
      </SimpleGrid>
    </Fieldset>
  );
}

function CoupletFields() {
  const t = useTexts(zone);
  return (
    <Fieldset legend={t.coupletTitle}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberField name="couplet.min_screen_width" label={t.minScreen} min={320} max={7680} />
        <NumberField name="couplet.offset_top" label={t.offsetTop} min={0} max={2000} />
        <NumberField name="couplet.offset_side" label={t.offsetSide} min={0} max={2000} />
        <SwitchField name="couplet.close_button" label={t.closeButton} />
      </SimpleGrid>
    </Fieldset>
  );
}

function RewardedFields() {
  const t = useTexts(zone);
  return (
    <Fieldset legend={t.rewardTitle}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberField name="rewarded.watch_seconds" label={t.watch} min={1} max={120} required />
        <NumberField
          name="rewarded.skippable_after_seconds"
          label={t.skippable}
          help={t.skippableHelp}
          min={0}
          max={120}
        />
        <NumberField name="rewarded.reward_amount" label={t.rewardAmount} min={1} required />
        <TextField
          name="rewarded.reward_type"
          label={t.rewardType}
          help={t.rewardTypeHelp}
          maxLength={50}
          required
        />
      </SimpleGrid>
      <TextField name="reward_callback_url" label={t.callback} help={t.callbackHelp} type="url" />
    </Fieldset>
  );
}
