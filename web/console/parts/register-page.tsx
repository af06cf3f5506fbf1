import { useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../api.ts';
import { session } from '../session.ts';
import { auth } from '../texts/auth.ts';
import { common } from '../texts/common.ts';
import { Door } from './auth.tsx';
import { DoorLink } from './door-link.tsx';
import { PasswordField, TextField } from './fields.tsx';
import { Form } from './form.tsx';
import type { Owner } from './identity.ts';
import { usePreferences } from './preferences.tsx';
import { useTexts } from './texts.ts';

const NOTHING = { contact_name: '', company_name: '', email: '', password: '' };

export function RegisterPage({ realm }: { realm: Owner }) {
  const t = useTexts(auth);
  const navigate = useNavigate();
  const { language, timeZone } = usePreferences();
  const { colorScheme: theme } = useMantineColorScheme();
  const route = `POST /api/${realm}/auth/register` as const;
  return (
    <Door title={t.signUpAs(useTexts(common).realms[realm])}>
      <Form<typeof NOTHING>
        route={route}
        values={NOTHING}
        submit={t.signUp}
        cancel={<DoorLink to={`/${realm}/login`}>{t.haveAccount}</DoorLink>}
        send={async (body) => {
          // The letter that confirms the address goes out with the answer, in the language of this page.
          const preferences = { language, time_zone: timeZone, theme };
          const { token } = await api(route).call(route, { body: { ...body, preferences } });
          session.begin(realm, token);
          await navigate({ to: `/${realm}`, ignoreBlocker: true });
        }}
      >
        <TextField name="contact_name" label={t.contact} autoComplete="name" required />
        <TextField
          name="company_name"
          label={t.company}
          help={t.companyHelp}
          autoComplete="organization"
          required
        />
        <TextField name="email" label={t.email} type="email" autoComplete="email" required />
        <PasswordField
          name="password"
          label={t.password}
          help={t.passwordHelp}
          autoComplete="new-password"
          required
        />
      </Form>
    </Door>
  );
}
