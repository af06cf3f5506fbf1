import { createFileRoute } from '@tanstack/react-router';
import { ResetPage } from '../../parts/reset-page.tsx';
import { textOf } from '../../parts/search.ts';
import { textsIn } from '../../parts/texts.ts';
import { auth } from '../../texts/auth.ts';

export const Route = createFileRoute('/publisher/reset')({
  validateSearch: (raw: Record<string, unknown>) => ({ token: textOf(raw['token']) ?? '' }),
  staticData: { title: (language) => textsIn(auth, language).forgotTitle },
  component: Reset,
});

function Reset() {
  const { token } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ResetPage
      realm="publisher"
      token={token}
      onUsed={async () => await navigate({ to: '.', search: { token: '' }, replace: true })}
    />
  );
}
