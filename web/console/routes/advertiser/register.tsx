import { createFileRoute } from '@tanstack/react-router';
import { RegisterPage } from '../../parts/register-page.tsx';
import { titles } from '../../texts/titles.ts';

export const Route = createFileRoute('/advertiser/register')({
  staticData: { title: (language) => titles[language].signUp },
  component: Register,
});

function Register() {
  return <RegisterPage realm="advertiser" />;
}
