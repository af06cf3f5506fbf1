import { NativeSelect, useMantineColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { common } from '../texts/common.ts';
import { type Language, usePreferences } from './preferences.tsx';
import { useTexts } from './texts.ts';

/** Only while they are asked for: there are four hundred time zones. */
export function PreferencesFields() {
  const t = useTexts(common);
  const { language, timeZone, choose } = usePreferences();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const zones = [...new Set([timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  const first = useRef<HTMLSelectElement>(null);
  // They come after the place that they are opened in.
  useEffect(() => first.current?.focus(), []);
  return (
    <>
      <NativeSelect
        ref={first}
        label={t.theme}
        value={colorScheme}
        onChange={(event) => setColorScheme(event.currentTarget.value as 'light' | 'dark' | 'auto')}
        data={[
          { value: 'auto', label: t.auto },
          { value: 'light', label: t.light },
          { value: 'dark', label: t.dark },
        ]}
      />
      <NativeSelect
        label={t.language}
        value={language}
        onChange={(event) => choose({ language: event.currentTarget.value as Language })}
        data={[
          { value: 'en', label: 'English' },
          { value: 'zh', label: '中文' },
        ]}
      />
      <NativeSelect
        label={t.timeZone}
        value={timeZone}
        onChange={(event) => choose({ timeZone: event.currentTarget.value })}
        data={zones}
      />
    </>
  );
}
