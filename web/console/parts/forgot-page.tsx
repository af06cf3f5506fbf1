import { Alert } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api.ts';
import { FOLDERS, type Realm } from '../session.ts';
import { auth } from '../texts/auth.ts';
import { Door } from './auth.tsx';
import { DoorLink } from './door-link.tsx';
import { TextField } from './fields.tsx';
import { Form } from './form.tsx';
import { useTexts } from './texts.ts';

export function ForgotPage({ realm }: { realm: Realm }) {
  const t = useTexts(auth);
  const [isSent, setSent] = useState(false);
  const route = `POST /api/${realm}/auth/forgot-password` as const;
  return (
    <Door title={t.forgotTitle} lead={t.forgotLead}>
      {isSent ? (
        <Alert color="teal" role="status">
          {t.forgotSent}{' '}
          <DoorLink inText to={`/${FOLDERS[realm]}/login`}>
            {t.logIn}
          </DoorLink>
        </Alert>
      ) : (
        <Form<{ email: string }>
          route={route}
          values={{ email: '' }}
          guarded={false}
          submit={t.forgotSend}
          cancel={<DoorLink to={`/${FOLDERS[realm]}/login`}>{t.haveAccount}</DoorLink>}
          send={async (body) => {
            await api(route).call(route, { body });
            setSent(true);
          }}
        >
          <TextField name="email" label={t.email} type="email" autoComplete="email" required />
        </Form>
      )}
    </Door>
  );
}
