import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { lazy } from 'react';
import { ButtonLink } from '../../../parts/button-link.tsx';
import { Page } from '../../../parts/page.tsx';
import { Section } from '../../../parts/section.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { Together } from '../../../parts/together.tsx';
import { profile } from '../../../queries/publisher/account.ts';
import { lastWeek, report } from '../../../queries/publisher/report.ts';
import { balance } from '../../../queries/publisher/withdrawal.ts';
import { publisher } from '../../../texts/publisher.ts';
import { titles } from '../../../texts/titles.ts';
import { Earned } from './-earned.tsx';
import { type FirstStep, firstStepsOf, openIn } from './-first-steps-of.ts';
import { SITES, ZONES } from './-needed.ts';
import { Revenue } from './-revenue.tsx';
import { ToDo } from './-to-do.tsx';

/** Of new accounts only. */
const FirstSteps = lazy(async () => ({
  default: (await import('./-first-steps.tsx')).FirstSteps,
}));

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
  const steps = useFirstSteps();
  return (
    <Page title={t.home}>
      <Together reads={[profile, balance, week(), SITES, ZONES]}>
        {steps !== undefined && steps !== null && <FirstSteps steps={steps} />}
        {steps !== undefined && <ToDo open={openIn(steps)} />}
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
            <Group gap="xs">
              <ButtonLink
                to="/publisher/reports"
                search={{ range: 'lastMonth', by: 'site' }}
                size="compact-sm"
                variant="default"
              >
                {t.lastMonth}
              </ButtonLink>
              <ButtonLink to="/publisher/reports" size="compact-sm" variant="default">
                {t.fullReport}
              </ButtonLink>
            </Group>
          }
        >
          <Revenue query={week()} />
        </Section>
      </Together>
    </Page>
  );
}

/** Undefined before it is known; null for an account that needs no path, or of which not all can be read. */
function useFirstSteps(): FirstStep[] | null | undefined {
  const who = useQuery(profile);
  const sites = useQuery(SITES);
  const zones = useQuery(ZONES);
  const money = useQuery(balance);
  const shown = useQuery(week());
  const reads = [who, sites, zones, money, shown];
  if (reads.some(({ isPending }) => isPending)) return undefined;
  if (!who.data || !sites.data || !zones.data || !money.data || !shown.data) return null;
  return firstStepsOf(
    {
      who: who.data,
      sites: sites.data.items,
      zones: zones.data.items,
      money: money.data,
      week: shown.data.totals,
    },
    Date.now(),
  );
}
