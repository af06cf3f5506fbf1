import { createFileRoute } from '@tanstack/react-router';
import { LoginPage } from '../../parts/login-page.tsx';
import { textOf } from '../../parts/search.ts';
import { textsIn } from '../../parts/texts.ts';
import { auth } from '../../texts/auth.ts';

export const Route = createFileRoute('/publisher/login')({
  validateSearch: (raw: Record<string, unknown>): { next?: string } => {
    const next = textOf(raw['next']);
    return next === undefined ? {} : { next };
  },
  staticData: { title: (language) => textsIn(auth, language).logIn },
  component: Login,
});

function Login() {
  return <LoginPage realm="publisher" next={Route.useSearch().next} />;
}
