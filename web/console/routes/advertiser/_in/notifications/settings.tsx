import { Fieldset, Group } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { queryClient, read, useWrite, write } from '../../../../api.ts';
import { EditForm, ifMatch } from '../../../../parts/edit-form.tsx';
import { MoneyField, SwitchField } from '../../../../parts/fields.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { NotificationPages } from '../../../../parts/notifications-page.tsx';
import { Page } from '../../../../parts/page.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { told } from '../../../../parts/toast.ts';
import { advertiser } from '../../../../texts/advertiser.ts';
import { notification } from '../../../../texts/notification.ts';
import { titles } from '../../../../texts/titles.ts';

const SETTINGS = read('GET /api/advertiser/notification-settings');
const SAVE = write('PUT /api/advertiser/notification-settings', [
  'GET /api/advertiser/notification-settings',
]);

export const Route = createFileRoute('/advertiser/_in/notifications/settings')({
  staticData: { title: (language) => titles[language].notificationSettings },
  component: Settings,
});

function Settings() {
  const t = useTexts(notification);
  const a = useTexts(advertiser);
  const { mutateAsync } = useWrite(SAVE);
  return (
    <Page title={t.title} lead={t.settingsLead}>
      <NotificationPages folder="advertiser" />
      <Loaded query={SETTINGS}>
        {(row) => (
          <EditForm
            route="PUT /api/advertiser/notification-settings"
            key={row.version}
            row={row}
            valuesOf={({ kinds, balance_low: low }) => ({ kinds, balance_low: low })}
            reread={async () => await queryClient.fetchQuery({ ...SETTINGS, staleTime: 0 })}
            save={async (body, version) => {
              await mutateAsync({ headers: ifMatch(version), body });
              told(t.saved);
            }}
          >
            <MoneyField name="balance_low" label={a.balanceLow} help={a.balanceLowHelp} />
            {Object.keys(row.kinds).map((kind) => (
              <Fieldset key={kind} legend={wordOf(t.kinds, kind)}>
                <Group gap="xl">
                  <SwitchField name={`kinds.${kind}.console`} label={t.here} />
                  <SwitchField name={`kinds.${kind}.mail`} label={t.mail} />
                </Group>
              </Fieldset>
            ))}
          </EditForm>
        )}
      </Loaded>
    </Page>
  );
}
