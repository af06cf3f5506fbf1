import { createFileRoute } from '@tanstack/react-router';
import { ConfirmEmailPage } from '../../parts/confirm-email-page.tsx';
import { emailSearch } from '../../parts/letter-token.ts';
import { titles } from '../../texts/titles.ts';

export const Route = createFileRoute('/advertiser/confirm-email')({
  validateSearch: emailSearch,
  staticData: { title: (language) => titles[language].confirmEmail },
  component: ConfirmEmail,
});

function ConfirmEmail() {
  return <ConfirmEmailPage realm="advertiser" />;
}
