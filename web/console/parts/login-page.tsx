import { Group } from '@mantine/core';
import { auth } from '../texts/auth.ts';
import { Door, DoorLink, LoginForm } from './auth.tsx';
import type { Owner } from './identity.ts';
import { useTexts } from './texts.ts';

export function LoginPage({ realm, next }: { realm: Owner; next: string | undefined }) {
  const t = useTexts(auth);
  return (
    <Door title={t.logInAs(t[realm])}>
      <LoginForm
        realm={realm}
        next={next}
        extra={
          <Group justify="space-between">
            <DoorLink to={`/${realm}/register`}>{t.noAccount}</DoorLink>
            <DoorLink to={`/${realm}/forgot`}>{t.forgot}</DoorLink>
          </Group>
        }
      />
    </Door>
  );
}
