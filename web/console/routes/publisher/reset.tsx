import { Alert } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api.ts';
import { Door, DoorLink } from '../../parts/auth.tsx';
import { PasswordField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { textOf } from '../../parts/search.ts';
import { textsIn, useTexts } from '../../parts/texts.ts';
import { auth } from '../../texts/auth.ts';

const RESET = 'POST /api/publisher/auth/reset-password';

export const Route = createFileRoute('/publisher/reset')({
  validateSearch: (raw: Record<string, unknown>) => ({ token: textOf(raw['token']) ?? '' }),
  staticData: { title: (language) => textsIn(auth, language).forgotTitle },
  component: Reset,
});

function Reset() {
  const t = useTexts(auth);
  const { token } = Route.useSearch();
  const navigate = Route.useNavigate();
  const [isSet, setSet] = useState(false);
  return (
    <Door title={t.forgotTitle}>
      {isSet ? (
        <Alert color="teal" role="status">
          {t.resetDone} <DoorLink to="/publisher/login">{t.logIn}</DoorLink>
        </Alert>
      ) : (
        <Form
          values={{ new_password: '', confirm_password: '' }}
          guarded={false}
          submit={t.reset}
          send={async (values: { new_password: string; confirm_password: string }) => {
            await api(RESET).call(RESET, { body: { token, ...values } });
            setSet(true);
            // Used up, and nobody else's business: not in the address, nor in what was before it.
            await navigate({ to: '.', search: { token: '' }, replace: true });
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
