import { createFileRoute } from '@tanstack/react-router';
import { RegisterPage } from '../../parts/register-page.tsx';
import { textsIn } from '../../parts/texts.ts';
import { auth } from '../../texts/auth.ts';

export const Route = createFileRoute('/advertiser/register')({
  staticData: { title: (language) => textsIn(auth, language).signUp },
  component: Register,
});

function Register() {
  return <RegisterPage realm="advertiser" />;
}
