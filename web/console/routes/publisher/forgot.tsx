import { Alert } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api.ts';
import { Door, DoorLink } from '../../parts/auth.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { textsIn, useTexts } from '../../parts/texts.ts';
import { auth } from '../../texts/auth.ts';

const FORGOT = 'POST /api/publisher/auth/forgot-password';

export const Route = createFileRoute('/publisher/forgot')({
  staticData: { title: (language) => textsIn(auth, language).forgotTitle },
  component: Forgot,
});

function Forgot() {
  const t = useTexts(auth);
  const [isSent, setSent] = useState(false);
  return (
    <Door title={t.forgotTitle} lead={t.forgotLead}>
      {isSent ? (
        <Alert color="teal" role="status">
          {t.forgotSent}
        </Alert>
      ) : (
        <Form
          values={{ email: '' }}
          guarded={false}
          submit={t.reset}
          cancel={<DoorLink to="/publisher/login">{t.haveAccount}</DoorLink>}
          send={async (body: { email: string }) => {
            await api(FORGOT).call(FORGOT, { body });
            setSent(true);
          }}
        >
          <TextField name="email" label={t.email} type="email" autoComplete="email" required />
        </Form>
      )}
    </Door>
  );
}
