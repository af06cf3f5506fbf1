import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { lazy, useMemo } from 'react';
import { ButtonLink } from '../../../parts/button-link.tsx';
import { Chart } from '../../../parts/chart.tsx';
import { FigureCards } from '../../../parts/figure-cards.tsx';
import { numberFormat, RATE } from '../../../parts/formats.ts';
import { Loaded } from '../../../parts/loaded.tsx';
import { Count, formatFigure } from '../../../parts/money.tsx';
import { Page } from '../../../parts/page.tsx';
import { usePreferences } from '../../../parts/preferences.tsx';
import { Section } from '../../../parts/section.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { formatShortDay } from '../../../parts/time.tsx';
import { Together } from '../../../parts/together.tsx';
import { balance, profile } from '../../../queries/advertiser/account.ts';
import { create } from '../../../queries/advertiser/deposit.ts';
import { latest } from '../../../queries/advertiser/operation.ts';
import { type Report, report } from '../../../queries/advertiser/report.ts';
import { advertiser } from '../../../texts/advertiser.ts';
import { titles } from '../../../texts/titles.ts';
import { BalanceCards } from '../-parts/balance-cards.tsx';
import { dayOf, daysFrom, shiftDay } from '../-parts/days.ts';
import { Finality } from '../-parts/finality.tsx';
import { LatestOperations } from '../-parts/latest-operations.tsx';
import { figureOf } from '../-parts/metrics.ts';
import { beginNeeded, isNew, NEEDED } from '../-parts/needed.ts';
import { lastsFor, ToDo } from '../-parts/to-do.tsx';

const DAYS = 7;
/** Of new accounts only. */
const FirstSteps = lazy(async () => ({
  default: (await import('../-parts/first-steps.tsx')).FirstSteps,
}));

/** The same for the page's life, so that it is read once. */
function lastDays() {
  const today = dayOf(Date.now());
  return report({ start_date: shiftDay(today, 1 - DAYS), end_date: today, group_by: 'date' });
}

export const Route = createFileRoute('/advertiser/_in/')({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(balance);
    beginNeeded(queryClient);
    void queryClient.prefetchQuery(lastDays());
    void queryClient.prefetchQuery(latest);
  },
  staticData: { title: (language) => titles[language].advertiserHome },
  component: Home,
});

function Home() {
  const t = useTexts(advertiser);
  const { data: who } = useQuery(profile);
  const { data: shown } = useQuery(lastDays());
  const hasPath = isNew(who, shown?.totals.impressions);
  return (
    <Page
      title={t.home}
      main={<ButtonLink to="/advertiser/campaigns/new">{t.newCampaign}</ButtonLink>}
    >
      <Together reads={[profile, balance, lastDays(), ...NEEDED]}>
        <ToDo spend={lastDays()} hasPath={hasPath} />
        {hasPath && <FirstSteps />}
        <Section
          title={t.balance}
          beside={
            <ButtonLink
              to="/advertiser/money"
              changes={create.route}
              size="compact-sm"
              variant="default"
            >
              {t.topUp}
            </ButtonLink>
          }
        >
          <Loaded query={balance}>{(now) => <BalanceCards balance={now} />}</Loaded>
          <Lasts />
        </Section>
        <Section
          title={t.lastDays}
          beside={
            <ButtonLink to="/advertiser/reports" size="compact-sm" variant="default">
              {t.reports}
            </ButtonLink>
          }
        >
          <Loaded query={lastDays()} height={260}>
            {(now) => <Spend now={now} />}
          </Loaded>
        </Section>
        <LatestOperations />
      </Together>
    </Page>
  );
}

function Lasts() {
  const t = useTexts(advertiser);
  const { data: money } = useQuery(balance);
  const { data: spend } = useQuery(lastDays());
  const days = lastsFor(money, spend);
  return days === null ? null : <Text size="sm">{t.lasts(days)}</Text>;
}

function Spend({ now }: { now: Report }) {
  const t = useTexts(advertiser);
  const { language } = usePreferences();
  const at = useMemo(() => daysFrom(now.start_date, now.end_date), [now]);
  const series = useMemo(() => {
    const byDay = new Map(now.items.map((row) => [row.date, row]));
    return [{ name: t.spend, values: at.map((day) => figureOf(byDay.get(day), 'spend')) }];
  }, [now, at, t]);
  const days = useMemo(() => at.map((day) => formatShortDay(day, language)), [at, language]);
  const format = useMemo(() => (value: number) => formatFigure(value, language), [language]);
  const percent = numberFormat(language, RATE);
  return (
    <>
      <FigureCards
        figures={[
          { name: t.spend, value: format(now.totals.spend) },
          { name: t.impressions, value: <Count value={now.totals.impressions} /> },
          { name: t.clicks, value: <Count value={now.totals.clicks} /> },
          { name: t.ctr, value: percent.format(now.totals.ctr) },
          { name: t.conversions, value: <Count value={now.totals.conversions} /> },
        ]}
      />
      {now.items.length > 0 && (
        <Chart label={t.spend} at={days} series={series} kind="bar" format={format} />
      )}
      <Finality report={now} />
    </>
  );
}
