import { createFileRoute } from '@tanstack/react-router';
import { AcceptPage } from '../../parts/accept-page.tsx';
import { textOf } from '../../parts/search.ts';
import { titles } from '../../texts/titles.ts';

export const Route = createFileRoute('/advertiser/accept')({
  validateSearch: (raw: Record<string, unknown>) => ({ token: textOf(raw['token']) ?? '' }),
  staticData: { title: (language) => titles[language].accept },
  component: Accept,
});

function Accept() {
  const { token } = Route.useSearch();
  return <AcceptPage realm="advertiser" token={token} />;
}
