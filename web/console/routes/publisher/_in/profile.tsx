import { createFileRoute } from '@tanstack/react-router';
import { AccountPage } from '../../../parts/account-page.tsx';
import { account } from '../../../texts/account.ts';

export const Route = createFileRoute('/publisher/_in/profile')({
  staticData: { title: (language) => account[language].title },
  component: Profile,
});

function Profile() {
  return <AccountPage realm="publisher" />;
}
