import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../../../parts/page.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { operator } from '../../../texts/operator.ts';

export const Route = createFileRoute('/operator/_in/')({
  staticData: { title: (language) => operator[language].home },
  component: Home,
});

function Home() {
  const t = useTexts(operator);
  return <Page title={t.home}>{null}</Page>;
}
