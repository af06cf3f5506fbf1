import { Group } from '@mantine/core';
import { type Ending, FOLDERS, type Realm } from '../session.ts';
import { auth } from '../texts/auth.ts';
import { common } from '../texts/common.ts';
import { Door, LoginForm } from './auth.tsx';
import { DoorLink } from './door-link.tsx';
import { useTexts } from './texts.ts';

export function LoginPage({
  realm,
  ...search
}: {
  realm: Realm;
  next: string | undefined;
  ended: Ending | undefined;
}) {
  const t = useTexts(auth);
  return (
    <Door title={t.logInAs(useTexts(common).realms[realm])}>
      <LoginForm
        realm={realm}
        {...search}
        extra={
          <Group justify="space-between">
            {/* Operators are invited. */}
            {realm !== 'admin' && <DoorLink to={`/${realm}/register`}>{t.noAccount}</DoorLink>}
            <DoorLink to={`/${FOLDERS[realm]}/forgot`}>{t.forgot}</DoorLink>
          </Group>
        }
      />
    </Door>
  );
}
