import { Card, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { formatMoney } from '../../../parts/money.tsx';
import { usePreferences } from '../../../parts/preferences.tsx';
import { useMarks, useTexts } from '../../../parts/texts.ts';
import { balance } from '../../../queries/advertiser/account.ts';
import {
  LAUNCH_STEPS,
  type LaunchStep,
  type StepState,
} from '../../../queries/advertiser/launch.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';
import { useSchedule, useTargetingRows } from './campaign-facts.tsx';
import type { LaunchValues } from './launch-values.ts';
import { givenTargeting } from './targeting-values.ts';

export type StepStates = Partial<Record<LaunchStep, StepState>>;

/** What the page comes to, in sentences; as it is sent, how far it is. */
export function LaunchSummary({ steps }: { steps: StepStates }) {
  const t = useTexts(launchTexts);
  const marks = useMarks();
  const schedule = useSchedule();
  const { language } = usePreferences();
  const values = useWatch<LaunchValues>() as LaunchValues;
  const money = (amount: number): string => formatMoney(amount, language);
  const targeting = useTargetingRows(givenTargeting(values));
  const lines: [string, string | null][] = [
    [t.kind, t.kinds[values.ad_type]],
    [t.landing, values.landing_url === '' ? null : values.landing_url],
    [t.bid, values.bid === null ? null : t.pays(money(values.bid), t.per[values.pricing_model])],
    [
      t.dailyBudget,
      values.daily_budget === null ? t.noDaily : t.perDay(money(values.daily_budget)),
    ],
    [t.when, schedule(values)],
    ...targeting,
  ];
  return (
    <Card withBorder>
      <Stack gap="xs">
        <Title order={2}>{t.summary}</Title>
        {lines.map(([name, text]) => (
          <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }}>
            <Text span c="dimmed" size="sm">
              {name}
              {marks.colon}
            </Text>
            {text ?? <em>{t.missing}</em>}
          </Text>
        ))}
        <Enough daily={values.daily_budget} />
        <TooSmall values={values} />
        <Text size="sm" c="dimmed">
          {t.reviewNote}
        </Text>
        {Object.keys(steps).length > 0 && <Steps steps={steps} />}
      </Stack>
    </Card>
  );
}

function Enough({ daily }: { daily: number | null }) {
  const t = useTexts(launchTexts);
  const { data } = useQuery(balance);
  if (data === undefined) return null;
  if (data.available <= 0) return <Text size="sm">{t.emptyBalance}</Text>;
  if (daily === null || daily <= 0) return null;
  return <Text size="sm">{t.enough(Math.floor(data.available / daily))}</Text>;
}

/** The auction shows nothing that a budget does not pay for once. */
function TooSmall({ values: { bid, pricing_model, ...budgets } }: { values: LaunchValues }) {
  const t = useTexts(launchTexts);
  const least = Math.min(budgets.daily_budget ?? Infinity, budgets.total_budget ?? Infinity);
  // A bid for a thousand views pays for each by itself.
  const cost = (bid ?? 0) / (pricing_model === 'CPM' ? 1_000 : 1);
  if (least <= 0 || least >= cost) return null;
  return (
    <Text size="sm" fw={600} role="status">
      {t.budgetBelowBid}
    </Text>
  );
}

const MARKS = { waiting: '○', running: '◔', done: '●', failed: '✕', unanswered: '?' } as const;

function Steps({ steps }: { steps: StepStates }) {
  const t = useTexts(launchTexts);
  const marks = useMarks();
  return (
    <Stack gap={4} aria-live="polite">
      <Title order={3} size="sm">
        {t.progress}
      </Title>
      {LAUNCH_STEPS.map((step) => {
        const state = steps[step] ?? 'waiting';
        return (
          <Text key={step} size="sm" data-step={step} data-state={state}>
            <span aria-hidden>{MARKS[state]}</span> {t.steps[step]}
            {marks.colon}
            {t.stepStates[state]}
          </Text>
        );
      })}
      {Object.values(steps).includes('failed') && <Text size="sm">{t.stopped}</Text>}
      {Object.values(steps).includes('unanswered') && <Text size="sm">{t.interrupted}</Text>}
    </Stack>
  );
}
