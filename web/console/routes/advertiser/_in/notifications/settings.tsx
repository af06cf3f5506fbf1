import { createFileRoute } from '@tanstack/react-router';
import { MoneyField } from '../../../../parts/fields.tsx';
import { NotificationSettings } from '../../../../parts/notification-settings.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { notification } from '../../../../texts/notification.ts';
import { titles } from '../../../../texts/titles.ts';

export const Route = createFileRoute('/advertiser/_in/notifications/settings')({
  staticData: { title: (language) => titles[language].notificationSettings },
  component: Settings,
});

function Settings() {
  const t = useTexts(notification);
  return (
    <NotificationSettings realm="advertiser" more={['balance_low']}>
      <MoneyField name="balance_low" label={t.balanceLow} help={t.balanceLowHelp} />
    </NotificationSettings>
  );
}
