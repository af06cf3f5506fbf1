import { createFileRoute } from '@tanstack/react-router';
import { ForgotPage } from '../../parts/forgot-page.tsx';
import { titles } from '../../texts/titles.ts';

export const Route = createFileRoute('/operator/forgot')({
  staticData: { title: (language) => titles[language].newPassword },
  component: Forgot,
});

function Forgot() {
  return <ForgotPage realm="admin" />;
}
