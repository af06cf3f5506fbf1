import { createFileRoute } from '@tanstack/react-router';
import { tokenSearch } from '../../parts/letter-token.ts';
import { NotMePage } from '../../parts/not-me-page.tsx';
import { titles } from '../../texts/titles.ts';

export const Route = createFileRoute('/publisher/not-me')({
  validateSearch: tokenSearch,
  staticData: { title: (language) => titles[language].notMe },
  component: NotMe,
});

function NotMe() {
  return <NotMePage realm="publisher" />;
}
