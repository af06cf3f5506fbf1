import { Fieldset, Group, Text } from '@mantine/core';
import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isAlwaysWritten, type NotificationKind } from '../../../domain/notifications.ts';
import { queryClient, read, useWrite, write } from '../api.ts';
import { common } from '../texts/common.ts';
import { notification } from '../texts/notification.ts';
import { EditForm, ifMatch } from './edit-form.tsx';
import { SwitchField } from './fields.tsx';
import type { Owner } from './identity.ts';
import { Loaded } from './loaded.tsx';
import { NotificationPages } from './notifications-page.tsx';
import { Page } from './page.tsx';
import { useTexts, wordOf } from './texts.ts';
import { told } from './toast.ts';

type Ways = Record<string, { console: boolean; mail: boolean }>;
type Settings = { kinds: Ways; version: number } & Record<string, unknown>;

/** Both sides have the same routes. */
const settingsOf = (realm: Owner) => ({
  all: read(`GET /api/${realm}/notification-settings`) as unknown as UseQueryOptions<Settings> & {
    queryKey: QueryKey;
  },
  save: write(`PUT /api/${realm}/notification-settings`, [
    `GET /api/${realm}/notification-settings`,
  ]),
});

/** What an account is told of, here and by letter. */
export function NotificationSettings({
  realm,
  more = [],
  children,
}: {
  realm: Owner;
  /** Names of what this side sets beside the kinds, */
  more?: readonly string[];
  /** and their fields. */
  children?: ReactNode;
}) {
  const t = useTexts(notification);
  const { notifications } = useTexts(common);
  const { all, save } = settingsOf(realm);
  const { mutateAsync } = useWrite(save);
  return (
    <Page title={notifications} lead={t.settingsLead}>
      <NotificationPages folder={realm} />
      <Loaded query={all}>
        {(row) => (
          <EditForm
            route={`PUT /api/${realm}/notification-settings`}
            row={row}
            valuesOf={(now) =>
              Object.fromEntries(['kinds', ...more].map((name) => [name, now[name]]))
            }
            reread={async () => await queryClient.fetchQuery({ ...all, staleTime: 0 })}
            save={async (body, version) => {
              await mutateAsync({ headers: ifMatch(version), body } as never);
              told(t.saved);
            }}
          >
            {children}
            {Object.keys(row.kinds).map((kind) => (
              <Kind key={kind} kind={kind as NotificationKind} />
            ))}
          </EditForm>
        )}
      </Loaded>
    </Page>
  );
}

/** Letters about money, identity and domains are always written (interface 5.9). */
function Kind({ kind }: { kind: NotificationKind }) {
  const t = useTexts(notification);
  const isWritten = isAlwaysWritten(kind);
  return (
    <Fieldset legend={wordOf(t.kinds, kind)}>
      <Group gap="xl">
        <SwitchField name={`kinds.${kind}.console`} label={t.here} />
        {isWritten ? (
          <Text size="sm">{t.mailAlways}</Text>
        ) : (
          <SwitchField name={`kinds.${kind}.mail`} label={t.mail} />
        )}
      </Group>
    </Fieldset>
  );
}
