import { Alert } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../api.ts';
import { FOLDERS, session } from '../session.ts';
import { team } from '../texts/team.ts';
import { Door } from './auth.tsx';
import { PasswordField, TextField } from './fields.tsx';
import { Form } from './form.tsx';
import type { Owner } from './identity.ts';
import { useLetterToken } from './letter-token.ts';
import { useTexts } from './texts.ts';

/** Where the letter of an invitation leads. */
export function AcceptPage({ realm }: { realm: Owner }) {
  const t = useTexts(team);
  const { token } = useLetterToken();
  const navigate = useNavigate();
  const route = `POST /api/${realm}/auth/accept-invitation` as const;
  return (
    <Door title={t.acceptTitle} lead={t.acceptLead}>
      {token === '' ? (
        <Alert color="yellow">{t.noToken}</Alert>
      ) : (
        <Form<{ name: string; password: string }>
          route={route}
          values={{ name: '', password: '' }}
          guarded={false}
          submit={t.accept}
          send={async (values) => {
            const joined = await api(route).call(route, { body: { token, ...values } });
            session.begin(realm, joined.token);
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
