import { Button, Group as Row, Stack, Text, Title, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { Loading } from '../../../parts/loading.tsx';
import { Failed } from '../../../parts/failed.tsx';
import { Page } from '../../../parts/page.tsx';
import { useMarks, useTexts, wordOf } from '../../../parts/texts.ts';
import { When } from '../../../parts/time.tsx';
import { profile } from '../../../queries/operator/account.ts';
import { type Setting, settings } from '../../../queries/operator/platform.ts';
import { operator } from '../../../texts/operator.ts';
import { titles } from '../../../texts/titles.ts';
import { party } from '../../../texts/party.ts';
import { platform } from '../../../texts/platform.ts';
import { setting as words } from '../../../texts/setting.ts';
import classes from './-platform/settings.module.css';
import { WaitingApprovals } from './-shown/waiting-approvals.tsx';
import { SettingForm } from './-platform/setting-form.tsx';
import { useShownValue } from './-shown/setting-value.ts';

const GROUPS = [
  'ad',
  'auction',
  'review',
  'conversion',
  'site',
  'login',
  'deposit',
  'payout',
  'kyc',
  'issuer',
] as const;

export const Route = createFileRoute('/operator/_in/settings')({
  staticData: { title: (language) => titles[language].operatorSettings },
  component: Settings,
});

function Settings() {
  const t = useTexts(platform);
  const { groups } = useTexts(words);
  const { data, error, refetch } = useQuery(settings);
  const [editing, edit] = useState<Setting | null>(null);
  return (
    <Page title={useTexts(operator).settings} lead={t.settingsLead}>
      <WaitingApprovals of={{ kind: 'setting' }} />
      {error !== null && <Failed error={error} again={() => void refetch()} />}
      {data === undefined && error === null && <Loading height={320} />}
      {data !== undefined &&
        GROUPS.map((group) => (
          <Stack key={group} gap="xs">
            <Title order={2}>{groups[group]}</Title>
            <Group
              items={data.items.filter(({ key }) => key.startsWith(`${group}.`))}
              onEdit={edit}
            />
          </Stack>
        ))}
      {editing !== null && <SettingForm setting={editing} close={() => edit(null)} />}
    </Page>
  );
}

function Group({ items, onEdit }: { items: Setting[]; onEdit: (setting: Setting) => void }) {
  const t = useTexts(platform);
  const marks = useMarks();
  const { adminOnly } = useTexts(party);
  const { keys } = useTexts(words);
  const shownAs = useShownValue();
  const { data: me } = useQuery(profile);
  const mayEdit = me?.role === 'ADMIN';
  return (
    <Stack gap={0}>
      {items.map((setting) => (
        <Row key={setting.key} justify="space-between" className={classes['row']}>
          <div className={classes['name']}>
            <Text size="sm">{wordOf(keys, setting.key)}</Text>
            <Text size="xs" c="dimmed">
              {setting.key}
            </Text>
          </div>
          <div className={classes['value']}>
            <Text size="sm" fw={600}>
              {shownAs(setting.key, setting.value)}
            </Text>
            <Text size="xs" c="dimmed">
              {setting.value === setting.default
                ? t.isDefault
                : `${t.default}${marks.colon}${shownAs(setting.key, setting.default)}`}
              {setting.updated_at !== null && (
                <>
                  {' '}
                  · <When at={setting.updated_at} />
                </>
              )}
            </Text>
          </div>
          <Tooltip label={adminOnly} disabled={mayEdit}>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`${t.change}${marks.colon}${wordOf(keys, setting.key)}`}
              aria-haspopup="dialog"
              data-disabled={!mayEdit || undefined}
              aria-disabled={!mayEdit}
              aria-description={mayEdit ? undefined : adminOnly}
              onClick={() => {
                if (mayEdit) onEdit(setting);
              }}
            >
              {t.change}
            </Button>
          </Tooltip>
        </Row>
      ))}
    </Stack>
  );
}
