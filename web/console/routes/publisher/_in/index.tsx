import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../../../parts/page.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { publisher } from '../../../texts/publisher.ts';

export const Route = createFileRoute('/publisher/_in/')({
  staticData: { title: (language) => publisher[language].home },
  component: Home,
});

function Home() {
  const t = useTexts(publisher);
  return <Page title={t.home}>{null}</Page>;
}
