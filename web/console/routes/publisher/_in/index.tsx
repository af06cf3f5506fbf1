import { createFileRoute } from '@tanstack/react-router';
import { ButtonLink } from '../../../parts/button-link.tsx';
import { Page } from '../../../parts/page.tsx';
import { Section } from '../../../parts/section.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { lastWeek, report } from '../../../queries/publisher/report.ts';
import { balance } from '../../../queries/publisher/withdrawal.ts';
import { publisher } from '../../../texts/publisher.ts';
import { titles } from '../../../texts/titles.ts';
import { Earned } from './-earned.tsx';
import { SITES, ZONES } from './-needed.ts';
import { Revenue } from './-revenue.tsx';
import { ToDo } from './-to-do.tsx';

const week = () => report({ ...lastWeek(), group_by: 'date' });

export const Route = createFileRoute('/publisher/_in/')({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(balance);
    void queryClient.prefetchQuery(week());
    void queryClient.prefetchQuery(SITES);
    void queryClient.prefetchQuery(ZONES);
  },
  staticData: { title: (language) => titles[language].publisherHome },
  component: Home,
});

function Home() {
  const t = useTexts(publisher);
  return (
    <Page title={t.home}>
      <ToDo />
      <Section
        title={t.earned}
        beside={
          <ButtonLink to="/publisher/payouts/new" size="compact-sm">
            {t.withdraw}
          </ButtonLink>
        }
      >
        <Earned withToday />
      </Section>
      <Section
        title={t.lastDays}
        beside={
          <ButtonLink to="/publisher/reports" size="compact-sm" variant="default">
            {t.fullReport}
          </ButtonLink>
        }
      >
        <Revenue query={week()} />
      </Section>
    </Page>
  );
}
