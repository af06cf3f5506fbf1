import { createFileRoute } from '@tanstack/react-router';
import { tokenSearch } from '../../parts/letter-token.ts';
import { ResetPage } from '../../parts/reset-page.tsx';
import { titles } from '../../texts/titles.ts';

export const Route = createFileRoute('/advertiser/reset')({
  validateSearch: tokenSearch,
  staticData: { title: (language) => titles[language].newPassword },
  component: Reset,
});

function Reset() {
  return <ResetPage realm="advertiser" />;
}
