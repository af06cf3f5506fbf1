import { createFileRoute } from '@tanstack/react-router';
import { Door, LoginForm } from '../../parts/auth.tsx';
import { loginSearch } from '../../parts/login-search.ts';
import { textsIn, useTexts } from '../../parts/texts.ts';
import { auth } from '../../texts/auth.ts';

export const Route = createFileRoute('/operator/login')({
  validateSearch: loginSearch,
  staticData: { title: (language) => textsIn(auth, language).logIn },
  component: Login,
});

function Login() {
  const t = useTexts(auth);
  const { next, ended } = Route.useSearch();
  return (
    <Door title={t.logInAs(t.operator)}>
      <LoginForm realm="admin" next={next} ended={ended} />
    </Door>
  );
}
