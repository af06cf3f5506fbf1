import { Group } from '@mantine/core';
import type { Ending } from '../session.ts';
import { auth } from '../texts/auth.ts';
import { Door, LoginForm } from './auth.tsx';
import { DoorLink } from './door-link.tsx';
import type { Owner } from './identity.ts';
import { useTexts } from './texts.ts';

export function LoginPage({
  realm,
  ...search
}: {
  realm: Owner;
  next: string | undefined;
  ended: Ending | undefined;
}) {
  const t = useTexts(auth);
  return (
    <Door title={t.logInAs(t[realm])}>
      <LoginForm
        realm={realm}
        {...search}
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
