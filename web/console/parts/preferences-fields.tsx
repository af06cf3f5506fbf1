import { NativeSelect, useMantineColorScheme } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Realm } from '../session.ts';
import { common } from '../texts/common.ts';
import { keepPreferences, type PreferencesChange } from './account-preferences.tsx';
import { usePreferences } from './preferences.tsx';
import { useTexts } from './texts.ts';
import { refused } from './toast.ts';

/**
 * Only while they are asked for: there are four hundred time zones. Of a realm: kept by the API, and
 * then shown; before a login by this browser alone.
 */
export function PreferencesFields({ realm }: { realm: Realm | undefined }) {
  const t = useTexts(common);
  const { language, timeZone, choose } = usePreferences();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const zones = [...new Set([timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  const first = useRef<HTMLSelectElement>(null);
  // They come after the place that they are opened in.
  useEffect(() => first.current?.focus(), []);
  const { mutate, isPending } = useMutation({
    mutationFn: async (change: PreferencesChange) => {
      if (realm !== undefined) {
        await keepPreferences(realm, change);
        return;
      }
      if (change.theme !== undefined) setColorScheme(change.theme);
      if (change.language !== undefined) choose({ language: change.language });
      if (change.time_zone !== undefined) choose({ timeZone: change.time_zone });
    },
    onError: refused,
  });
  return (
    <>
      <NativeSelect
        ref={first}
        label={t.theme}
        value={colorScheme}
        aria-busy={isPending}
        onChange={({ currentTarget: { value } }) =>
          mutate({ theme: value as NonNullable<PreferencesChange['theme']> })
        }
        data={[
          { value: 'auto', label: t.auto },
          { value: 'light', label: t.light },
          { value: 'dark', label: t.dark },
        ]}
      />
      <NativeSelect
        label={t.language}
        value={language}
        aria-busy={isPending}
        onChange={({ currentTarget: { value } }) =>
          mutate({ language: value as NonNullable<PreferencesChange['language']> })
        }
        data={[
          { value: 'en', label: 'English' },
          { value: 'zh', label: '中文' },
        ]}
      />
      <NativeSelect
        label={t.timeZone}
        value={timeZone}
        aria-busy={isPending}
        onChange={({ currentTarget: { value } }) => mutate({ time_zone: value })}
        data={zones}
      />
    </>
  );
}
