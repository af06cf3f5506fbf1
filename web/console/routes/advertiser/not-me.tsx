import { createFileRoute } from '@tanstack/react-router';
import { NotMePage } from '../../parts/not-me-page.tsx';
import { textOf } from '../../parts/search.ts';
import { titles } from '../../texts/titles.ts';

export const Route = createFileRoute('/advertiser/not-me')({
  validateSearch: (raw: Record<string, unknown>) => ({ token: textOf(raw['token']) ?? '' }),
  staticData: { title: (language) => titles[language].notMe },
  component: NotMe,
});

function NotMe() {
  const { token } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <NotMePage
      realm="advertiser"
      token={token}
      onUsed={async () => await navigate({ to: '.', search: { token: '' }, replace: true })}
    />
  );
}
