import { Alert, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api.ts';
import { FOLDERS, type Realm, session } from '../session.ts';
import { auth } from '../texts/auth.ts';
import { security } from '../texts/security.ts';
import { Door } from './auth.tsx';
import { DoorLink } from './door-link.tsx';
import { Form } from './form.tsx';
import { isDeadLink, useLetterToken } from './letter-token.ts';
import { useTexts } from './texts.ts';

/** Where a letter's "this was not me" leads. Nothing happens by opening it: programs open letters, too. */
export function NotMePage({ realm }: { realm: Realm }) {
  const { token, forget } = useLetterToken();
  const t = useTexts(security);
  const a = useTexts(auth);
  const [isDone, setDone] = useState(false);
  const [isDead, setDead] = useState(token === '');
  const route = `POST /api/${realm}/auth/not-me` as const;
  return (
    <Door title={t.notMe}>
      {isDone ? (
        <Alert color="teal" role="status">
          {t.notMeDone}{' '}
          <DoorLink inText to={`/${FOLDERS[realm]}/login`}>
            {a.logIn}
          </DoorLink>
        </Alert>
      ) : isDead ? (
        <Alert color="yellow" role="alert">
          {t.notMeDead}{' '}
          <DoorLink inText to={`/${FOLDERS[realm]}/security`}>
            {t.title}
          </DoorLink>
        </Alert>
      ) : (
        <Form<Record<string, never>>
          values={{}}
          guarded={false}
          submit={t.notMeSubmit}
          send={async () => {
            try {
              await api(route).call(route, { body: { token } });
            } catch (error) {
              if (!isDeadLink(error)) throw error;
              setDead(true);
              forget();
              return;
            }
            session.end(realm);
            setDone(true);
            forget();
          }}
        >
          <Text size="sm">{t.notMeLead}</Text>
        </Form>
      )}
    </Door>
  );
}
