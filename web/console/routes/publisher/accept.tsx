import { createFileRoute } from '@tanstack/react-router';
import { tokenSearch } from '../../parts/letter-token.ts';
import { AcceptPage } from '../../parts/accept-page.tsx';
import { titles } from '../../texts/titles.ts';

export const Route = createFileRoute('/publisher/accept')({
  validateSearch: tokenSearch,
  staticData: { title: (language) => titles[language].accept },
  component: Accept,
});

function Accept() {
  return <AcceptPage realm="publisher" />;
}
