import { createFileRoute } from '@tanstack/react-router';
import { AccountPage } from '../../../parts/account-page.tsx';
import { titles } from '../../../texts/titles.ts';

export const Route = createFileRoute('/advertiser/_in/profile')({
  staticData: { title: (language) => titles[language].account },
  component: Profile,
});

function Profile() {
  return <AccountPage realm="advertiser" />;
}
