import { Fieldset, Group } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { queryClient, read, useWrite, write } from '../../../../api.ts';
import { EditForm, ifMatch } from '../../../../parts/edit-form.tsx';
import { SwitchField } from '../../../../parts/fields.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { NotificationPages } from '../../../../parts/notifications-page.tsx';
import { Page } from '../../../../parts/page.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { told } from '../../../../parts/toast.ts';
import { notification } from '../../../../texts/notification.ts';
import { titles } from '../../../../texts/titles.ts';

/** Their letters cannot be turned off (interface 5.9). */
const ALWAYS_WRITTEN = new Set([
  'kyc_decided',
  'site_lapsing',
  'site_lapsed',
  'domain_contested',
  'domain_moved',
]);
const SETTINGS = read('GET /api/publisher/notification-settings');
const SAVE = write('PUT /api/publisher/notification-settings', [
  'GET /api/publisher/notification-settings',
]);

export const Route = createFileRoute('/publisher/_in/notifications/settings')({
  staticData: { title: (language) => titles[language].notificationSettings },
  component: Settings,
});

function Settings() {
  const t = useTexts(notification);
  const { mutateAsync } = useWrite(SAVE);
  return (
    <Page title={t.title} lead={t.settingsLead}>
      <NotificationPages folder="publisher" />
      <Loaded query={SETTINGS}>
        {(row) => (
          <EditForm
            route="PUT /api/publisher/notification-settings"
            key={row.version}
            row={row}
            valuesOf={({ kinds }) => ({ kinds })}
            reread={async () => await queryClient.fetchQuery({ ...SETTINGS, staleTime: 0 })}
            save={async ({ kinds }, version) => {
              await mutateAsync({ headers: ifMatch(version), body: { kinds } });
              told(t.saved);
            }}
          >
            {Object.keys(row.kinds).map((kind) => (
              <Fieldset key={kind} legend={wordOf(t.kinds, kind)}>
                <Group gap="xl">
                  <SwitchField name={`kinds.${kind}.console`} label={t.here} />
                  <SwitchField
                    name={`kinds.${kind}.mail`}
                    label={ALWAYS_WRITTEN.has(kind) ? t.mailAlways : t.mail}
                    disabled={ALWAYS_WRITTEN.has(kind)}
                  />
                </Group>
              </Fieldset>
            ))}
          </EditForm>
        )}
      </Loaded>
    </Page>
  );
}
