import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { api } from '../../api.ts';
import { Door, DoorLink } from '../../parts/auth.tsx';
import { PasswordField, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { textsIn, useTexts } from '../../parts/texts.ts';
import { session } from '../../session.ts';
import { auth } from '../../texts/auth.ts';

const REGISTER = 'POST /api/publisher/auth/register';

interface Values {
  contact_name: string;
  company_name: string;
  email: string;
  password: string;
}

export const Route = createFileRoute('/publisher/register')({
  staticData: { title: (language) => textsIn(auth, language).signUp },
  component: Register,
});

function Register() {
  const t = useTexts(auth);
  const navigate = useNavigate();
  return (
    <Door title={t.signUpAs(t.publisher)}>
      <Form<Values>
        values={{ contact_name: '', company_name: '', email: '', password: '' }}
        submit={t.signUp}
        cancel={<DoorLink to="/publisher/login">{t.haveAccount}</DoorLink>}
        send={async (body) => {
          const { token } = await api(REGISTER).call(REGISTER, { body });
          session.begin('publisher', token);
          await navigate({ to: '/publisher', ignoreBlocker: true });
        }}
      >
        <TextField name="contact_name" label={t.contact} autoComplete="name" required />
        <TextField name="company_name" label={t.company} autoComplete="organization" required />
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
