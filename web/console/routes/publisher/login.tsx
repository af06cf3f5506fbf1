import { Group } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { Door, DoorLink, LoginForm } from '../../parts/auth.tsx';
import { textOf } from '../../parts/search.ts';
import { textsIn, useTexts } from '../../parts/texts.ts';
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
  const t = useTexts(auth);
  const { next } = Route.useSearch();
  return (
    <Door title={t.logInAs(t.publisher)}>
      <LoginForm
        realm="publisher"
        next={next}
        extra={
          <Group justify="space-between">
            <DoorLink to="/publisher/register">{t.noAccount}</DoorLink>
            <DoorLink to="/publisher/forgot">{t.forgot}</DoorLink>
          </Group>
        }
      />
    </Door>
  );
}
