import { createFileRoute } from '@tanstack/react-router';
import { ForgotPage } from '../../parts/forgot-page.tsx';
import { textsIn } from '../../parts/texts.ts';
import { auth } from '../../texts/auth.ts';

export const Route = createFileRoute('/operator/forgot')({
  staticData: { title: (language) => textsIn(auth, language).forgotTitle },
  component: Forgot,
});

function Forgot() {
  return <ForgotPage realm="admin" />;
}
