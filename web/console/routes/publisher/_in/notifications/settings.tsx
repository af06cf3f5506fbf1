import { createFileRoute } from '@tanstack/react-router';
import { NotificationSettings } from '../../../../parts/notification-settings.tsx';
import { titles } from '../../../../texts/titles.ts';

export const Route = createFileRoute('/publisher/_in/notifications/settings')({
  staticData: { title: (language) => titles[language].notificationSettings },
  component: Settings,
});

function Settings() {
  return <NotificationSettings realm="publisher" />;
}
