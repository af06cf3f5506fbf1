import { createFileRoute } from '@tanstack/react-router';
import { Door, LoginForm } from '../../parts/auth.tsx';
import { textOf } from '../../parts/search.ts';
import { textsIn, useTexts } from '../../parts/texts.ts';
import { auth } from '../../texts/auth.ts';

export const Route = createFileRoute('/operator/login')({
  validateSearch: (raw: Record<string, unknown>): { next?: string } => {
    const next = textOf(raw['next']);
    return next === undefined ? {} : { next };
  },
  staticData: { title: (language) => textsIn(auth, language).logIn },
  component: Login,
});

function Login() {
  const t = useTexts(auth);
  const { next } = Route.useSearch();
  return (
    <Door title={t.logInAs(t.operator)}>
      <LoginForm realm="admin" next={next} />
    </Door>
  );
}
