import { ActionIcon, NativeSelect, Popover, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { common } from '../texts/common.ts';
import { useEscape } from './escape.ts';
import { type Language, usePreferences } from './preferences.tsx';
import { useTexts } from './texts.ts';

/** Theme, language and time zone. */
export function PreferencesMenu() {
  const t = useTexts(common);
  const [opened, setOpened] = useState(false);
  useEscape(opened, () => setOpened(false));
  return (
    <Popover position="bottom-end" trapFocus returnFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t.preferences}
          onClick={() => setOpened((was) => !was)}
        >
          <span aria-hidden>◐</span>
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p="sm" aria-label={t.preferences}>
        <Fields />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Only while it is open: there are four hundred time zones. */
function Fields() {
  const t = useTexts(common);
  const { language, timeZone, choose } = usePreferences();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const zones = [...new Set([timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return (
    <>
      <NativeSelect
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
