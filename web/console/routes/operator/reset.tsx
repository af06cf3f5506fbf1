import { createFileRoute } from '@tanstack/react-router';
import { tokenSearch } from '../../parts/letter-token.ts';
import { ResetPage } from '../../parts/reset-page.tsx';
import { textsIn } from '../../parts/texts.ts';
import { auth } from '../../texts/auth.ts';

export const Route = createFileRoute('/operator/reset')({
  validateSearch: tokenSearch,
  staticData: { title: (language) => textsIn(auth, language).forgotTitle },
  component: Reset,
});

function Reset() {
  return <ResetPage realm="admin" />;
}
