import { createFileRoute } from '@tanstack/react-router';
import { AcceptPage } from '../../parts/accept-page.tsx';
import { textOf } from '../../parts/search.ts';

export const Route = createFileRoute('/advertiser/accept')({
  validateSearch: (raw: Record<string, unknown>) => ({ token: textOf(raw['token']) ?? '' }),
  component: Accept,
});

function Accept() {
  const { token } = Route.useSearch();
  return <AcceptPage realm="advertiser" token={token} />;
}
