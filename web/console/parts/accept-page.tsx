import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api.ts';
import type { Answer } from '../../client/client.ts';
import { FOLDERS, type Realm, session } from '../session.ts';
import { auth } from '../texts/auth.ts';
import { team } from '../texts/team.ts';
import { Door } from './auth.tsx';
import { DoorLink } from './door-link.tsx';
import { PasswordField, TextField } from './fields.tsx';
import { Form } from './form.tsx';
import type { Owner } from './identity.ts';
import { isDeadLink, useLetterToken } from './letter-token.ts';
import { useTexts } from './texts.ts';

/** Where the letter of an invitation into an account leads. */
export function AcceptPage({ realm }: { realm: Owner }) {
  const t = useTexts(team);
  return (
    <AcceptForm
      realm={realm}
      said={(to) =>
        to === undefined
          ? { title: t.acceptTitle, lead: t.acceptLead }
          : { title: t.acceptTo(to.account), lead: t.acceptAs(to.email, t.roleNames[to.role]) }
      }
    />
  );
}

type Invited<Of extends Realm> = Answer<`POST /api/${Of}/auth/invitation`>;

/** Of an account, or of the operators: `said` is what it is called, once it is known who is invited. */
export function AcceptForm<Of extends Realm>({
  realm: of,
  said,
}: {
  realm: Of;
  said: (to: Invited<Of> | undefined) => { title: string; lead?: string };
}) {
  const realm: Realm = of;
  const t = useTexts(team);
  const { token, forget } = useLetterToken();
  const a = useTexts(auth);
  const [isDead, setDead] = useState(false);
  const navigate = useNavigate();
  const route = `POST /api/${realm}/auth/accept-invitation` as const;
  const look = `POST /api/${realm}/auth/invitation` as const;
  const { data: to, error } = useQuery({
    queryKey: [look, token],
    queryFn: async () => {
      try {
        return await api(look).call(look, { body: { token } });
      } catch (failure) {
        if (isDeadLink(failure)) forget();
        throw failure;
      }
    },
    enabled: token !== '',
  });
  return (
    <Door {...said(to as Invited<Of> | undefined)}>
      {token === '' ? (
        <Alert color="yellow">{t.noToken}</Alert>
      ) : isDead || isDeadLink(error) ? (
        <Alert color="yellow" role="alert">
          {t.deadInvitation}{' '}
          <DoorLink inText to={`/${FOLDERS[realm]}/login`}>
            {a.logIn}
          </DoorLink>
        </Alert>
      ) : (
        <Form<{ name: string; password: string }>
          route={route}
          values={{ name: '', password: '' }}
          guarded={false}
          submit={t.accept}
          send={async (values) => {
            try {
              const joined = await api(route).call(route, { body: { token, ...values } });
              session.begin(realm, joined.token);
              forget();
            } catch (error) {
              if (!isDeadLink(error)) throw error;
              setDead(true);
              forget();
              return;
            }
            await navigate({ href: `/${FOLDERS[realm]}` });
          }}
        >
          <TextField name="name" label={t.yourName} autoComplete="name" required />
          <PasswordField
            name="password"
            label={t.password}
            help={t.passwordHelp}
            autoComplete="new-password"
            required
          />
        </Form>
      )}
    </Door>
  );
}
