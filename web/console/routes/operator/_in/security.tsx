import { createFileRoute } from '@tanstack/react-router';
import { SecurityPage } from '../../../parts/security-page.tsx';
import { titles } from '../../../texts/titles.ts';

export const Route = createFileRoute('/operator/_in/security')({
  staticData: { title: (language) => titles[language].security },
  component: Security,
});

function Security() {
  return <SecurityPage realm="admin" />;
}
