import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { Dialog } from '../../../../parts/dialog.tsx';
import { useWrite } from '../../../../api.ts';
import { Diff } from '../../../../parts/diff.tsx';
import { Failed } from '../../../../parts/failed.tsx';
import { NumberField, SelectField, TextAreaField, TextField } from '../../../../parts/fields.tsx';
import { Form } from '../../../../parts/form.tsx';
import { useSaid } from '../../../../parts/said.ts';
import { useMarks, useTexts, wordOf } from '../../../../parts/texts.ts';
import { told } from '../../../../parts/toast.ts';
import { saveSetting, type Setting } from '../../../../queries/operator/platform.ts';
import { approval } from '../../../../texts/approval.ts';
import { common } from '../../../../texts/common.ts';
import { platform } from '../../../../texts/platform.ts';
import { setting as words } from '../../../../texts/setting.ts';
import { partsOf, unitOf, useShownValue } from '../-shown/setting-value.ts';

type Value = string | number | boolean;

/** First a new value, then what changes, then it is saved. */
export function SettingForm({ setting, close }: { setting: Setting; close: () => void }) {
  const t = useTexts(platform);
  const marks = useMarks();
  const said = useSaid();
  const name = wordOf(useTexts(words).keys, setting.key);
  const [next, setNext] = useState<Value | null>(null);
  const range = rangeOf(setting);
  return (
    <Dialog onClose={close} title={name}>
      {next === null ? (
        <Stack>
          {range === null && (
            <Text size="sm" c="dimmed">
              {t.rule}
              {marks.colon}
              {said(setting.rule)}
            </Text>
          )}
          <Form<{ value: string | number | null }>
            values={{ value: inForm(setting) }}
            submit={t.review}
            guarded={false}
            send={({ value }) => {
              setNext(fromForm(setting, value));
              return Promise.resolve();
            }}
          >
            <ValueField setting={setting} label={t.value} />
          </Form>
        </Stack>
      ) : (
        <Review
          setting={setting}
          name={name}
          next={next}
          back={() => setNext(null)}
          close={close}
        />
      )}
    </Dialog>
  );
}

function ValueField({ setting, label }: { setting: Setting; label: string }) {
  const t = useTexts(platform);
  if (typeof setting.value === 'number') {
    return <NumberValueField setting={setting} label={label} />;
  }
  if (setting.key.startsWith('issuer.')) return <TextField name="value" label={label} />;
  if (setting.key.endsWith('.brands')) return <TextAreaField name="value" label={label} rows={8} />;
  const options =
    typeof setting.value === 'boolean'
      ? [
          { value: 'true', label: t.on },
          { value: 'false', label: t.off },
        ]
      : [
          { value: 'human', label: t.human },
          { value: 'auto_when_clean', label: t.auto_when_clean },
        ];
  return <SelectField name="value" label={label} options={options} required />;
}

/** What is typed counts seconds, say: below it stands what that is, and what may be typed. */
function NumberValueField({ setting, label }: { setting: Setting; label: string }) {
  const { key } = setting;
  const t = useTexts(platform);
  const { units, between } = useTexts(words);
  const marks = useMarks();
  const said = useSaid();
  const shownAs = useShownValue();
  const unit = unitOf(key);
  const { parts, decimals } = partsOf(key);
  const value = useWatch<{ value: number | null }, 'value'>({ name: 'value' });
  const range = rangeOf(setting);
  const allowed = range === null ? null : `${t.rule}${marks.colon}${between(...range, decimals)}`;
  const shown = value === null ? null : shownAs(key, Math.round(value * parts * 1e6) / 1e6);
  return (
    <NumberField
      name="value"
      label={unit === null ? label : `${label}${marks.comma}${units[unit]}`}
      // As many as may be asked for: what is cut off unseen would be another number.
      decimals={6}
      help={[shown, allowed].filter((each) => each !== null).join(' · ')}
      fault={(typed) =>
        isAllowed(Number(typed), range, decimals) || (allowed ?? said(setting.rule))
      }
      required
    />
  );
}

/** The least and the most that its rule names, as they are typed. */
function rangeOf({ key, value, rule }: Setting): [number, number] | null {
  const found = typeof value === 'number' ? /from (\d+) to (\d+)/.exec(rule) : null;
  const { parts } = partsOf(key);
  return found === null ? null : [Number(found[1]) / parts, Number(found[2]) / parts];
}

function isAllowed(value: number, range: [number, number] | null, decimals: number): boolean {
  if (range !== null && (value < range[0] || value > range[1])) return false;
  return Number(value.toFixed(decimals)) === value;
}

function Review(props: {
  setting: Setting;
  name: string;
  next: Value;
  back: () => void;
  close: () => void;
}) {
  const { setting, name, next, back, close } = props;
  const t = useTexts(platform);
  const c = useTexts(common);
  const a = useTexts(approval);
  const shownAs = useShownValue();
  const { mutateAsync, isPending } = useWrite(saveSetting);
  const [error, setError] = useState<Error | null>(null);
  const save = async (): Promise<void> => {
    try {
      await mutateAsync({
        path: { key: setting.key },
        headers: { 'If-Match': `"${setting.version}"` },
        body: { value: next },
      });
      told(setting.governs_money ? a.settingAsked : t.changed);
      close();
    } catch (raised) {
      setError(raised as Error);
    }
  };
  return (
    <Stack>
      <Text size="sm">{setting.governs_money ? a.settingReview : t.reviewBefore}</Text>
      <Diff
        changes={[
          {
            field: name,
            before: shownAs(setting.key, setting.value),
            after: shownAs(setting.key, next),
          },
        ]}
      />
      {error !== null && <Failed error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={back}>
          {c.back}
        </Button>
        <Button loading={isPending} onClick={() => void save()}>
          {c.save}
        </Button>
      </Group>
    </Stack>
  );
}

const inForm = ({ key, value }: Setting): string | number =>
  typeof value === 'number' ? value / partsOf(key).parts : String(value);

const fromForm = ({ key, value: was }: Setting, value: string | number | null): Value => {
  if (typeof was === 'boolean') return value === 'true';
  return typeof was === 'number'
    ? Math.round(Number(value) * partsOf(key).parts * 1e6) / 1e6
    : (value ?? '');
};
