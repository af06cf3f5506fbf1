import { createFileRoute } from '@tanstack/react-router';
import { LoginPage } from '../../parts/login-page.tsx';
import { loginSearch } from '../../parts/login-search.ts';
import { textsIn } from '../../parts/texts.ts';
import { auth } from '../../texts/auth.ts';

export const Route = createFileRoute('/operator/login')({
  validateSearch: loginSearch,
  staticData: { title: (language) => textsIn(auth, language).logIn },
  component: Login,
});

function Login() {
  const { next, ended } = Route.useSearch();
  return <LoginPage realm="admin" next={next} ended={ended} />;
}
