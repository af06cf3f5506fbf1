import { Alert } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api.ts';
import { FOLDERS, type Realm } from '../session.ts';
import { auth } from '../texts/auth.ts';
import { Door } from './auth.tsx';
import { DoorLink } from './door-link.tsx';
import { PasswordField } from './fields.tsx';
import { Form } from './form.tsx';
import { isDeadLink, useLetterToken } from './letter-token.ts';
import { useTexts } from './texts.ts';

const NOTHING = { new_password: '', confirm_password: '' };

/** Where the letter about a lost password leads. */
export function ResetPage({ realm }: { realm: Realm }) {
  const { token, forget } = useLetterToken();
  const t = useTexts(auth);
  const [isSet, setSet] = useState(false);
  const [isDead, setDead] = useState(token === '');
  const route = `POST /api/${realm}/auth/reset-password` as const;
  return (
    <Door title={t.forgotTitle}>
      {isSet ? (
        <Alert color="teal" role="status">
          {t.resetDone}{' '}
          <DoorLink inText to={`/${FOLDERS[realm]}/login`}>
            {t.logIn}
          </DoorLink>
        </Alert>
      ) : isDead ? (
        <Alert color="yellow" role="alert">
          {t.deadLink}{' '}
          <DoorLink inText to={`/${FOLDERS[realm]}/forgot`}>
            {t.anotherLink}
          </DoorLink>
        </Alert>
      ) : (
        <Form<typeof NOTHING>
          route={route}
          values={NOTHING}
          guarded={false}
          submit={t.reset}
          send={async (values) => {
            try {
              await api(route).call(route, { body: { token, ...values } });
            } catch (error) {
              if (!isDeadLink(error)) throw error;
              setDead(true);
              forget();
              return;
            }
            setSet(true);
            forget();
          }}
        >
          <PasswordField
            name="new_password"
            label={t.newPassword}
            help={t.passwordHelp}
            autoComplete="new-password"
            required
          />
          <PasswordField
            name="confirm_password"
            label={t.repeatPassword}
            autoComplete="new-password"
            required
          />
        </Form>
      )}
    </Door>
  );
}
