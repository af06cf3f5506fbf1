import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Diff } from '../../../../../parts/diff.tsx';
import { Facts } from '../../../../../parts/facts.tsx';
import { Money } from '../../../../../parts/money.tsx';
import { OutsideLink } from '../../../../../parts/outside-link.tsx';
import { State } from '../../../../../parts/state.tsx';
import { useTexts } from '../../../../../parts/texts.ts';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { subject } from '../../../../../texts/subject.ts';
import { AdShown, isOfWords } from './ad-shown.tsx';
import { CreativeView } from './creative-view.tsx';

type Detail = TaskPage['detail'];

export function CampaignView({ detail: { campaign } }: { detail: Detail }) {
  const t = useTexts(subject);
  const f = t.fields;
  if (campaign === null) return <Text c="dimmed">{t.gone}</Text>;
  return (
    <Facts
      rows={[
        [f.name, campaign.name],
        [f.status, <State key="s" state={campaign.status} />],
        [f.landing_url, <OutsideLink key="l" url={campaign.landing_url} label={t.openElsewhere} />],
        [f.ad_type, campaign.ad_type],
        [f.pricing_model, campaign.pricing_model],
        [f.bid, <Money key="b" amount={campaign.bid} />],
        [f.daily_budget, budget(campaign.daily_budget, t.noLimit)],
        [f.total_budget, budget(campaign.total_budget, t.noLimit)],
        [f.dates, datesOf(campaign)],
        ...targetsOf(campaign, t.everywhere, f),
      ]}
    />
  );
}

export function AdGroupView({ detail: { adgroup } }: { detail: Detail }) {
  const t = useTexts(subject);
  const f = t.fields;
  if (adgroup === null) return <Text c="dimmed">{t.gone}</Text>;
  return (
    <Facts
      rows={[
        [f.name, adgroup.name],
        [f.status, <State key="s" state={adgroup.status} />],
        [f.bid, <Money key="b" amount={adgroup.bid} />],
        [f.daily_budget, budget(adgroup.daily_budget, t.noLimit)],
        [f.dates, datesOf(adgroup)],
        ...targetsOf(adgroup, t.everywhere, f),
      ]}
    />
  );
}

/** An ad with the creative it shows, and the page that it leads to; beside what viewers read now. */
export function AdView({ detail, taskId }: { detail: Detail; taskId: number }) {
  const t = useTexts(subject);
  const f = t.fields;
  const { ad, campaign, ad_revision: proposed, ad_revision_before: before } = detail;
  if (ad === null || proposed === null) return <Text c="dimmed">{t.gone}</Text>;
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, lg: before === null ? 1 : 2 }}>
        <AdText title={t.proposed} revision={proposed} detail={detail} />
        {before !== null && (
          <AdText
            title={before.is_serving ? t.serving : t.before}
            revision={before}
            detail={detail}
          />
        )}
      </SimpleGrid>
      {before !== null && (
        <Stack gap={4}>
          <Title order={2}>{t.changes}</Title>
          <Diff changes={detail.ad_changes} names={{ ...f, creative_id: t.creative }} />
        </Stack>
      )}
      <Facts
        rows={[
          [t.campaign, campaign?.name],
          [f.weight, ad.weight],
        ]}
      />
      <Title order={2}>{t.creative}</Title>
      <CreativeView detail={detail} taskId={taskId} />
    </Stack>
  );
}

interface AdTextProps {
  title: string;
  revision: NonNullable<Detail['ad_revision']>;
  detail: Detail;
}

function AdText({ title, revision, detail }: AdTextProps) {
  const { campaign } = detail;
  const t = useTexts(subject);
  const f = t.fields;
  const own = revision.landing_url ?? '';
  const landingUrl = own === '' ? (campaign?.landing_url ?? '') : own;
  return (
    <Stack gap={4}>
      <Text fw={600} size="sm">
        {title} · {t.revision(revision.revision)}
      </Text>
      {isOfWords(detail) && <AdShown words={revision} detail={detail} landingUrl={landingUrl} />}
      <Facts
        rows={[
          [f.title, revision.title],
          [f.description, revision.description],
          [f.button_text, revision.button_text],
          [f.brand_name, revision.brand_name],
          [f.display_url, revision.display_url],
          [f.landing_url, <OutsideLink key="l" url={landingUrl} label={t.openElsewhere} />],
        ]}
      />
    </Stack>
  );
}

interface Targets {
  target_countries: string[] | null;
  target_devices: string[] | null;
  target_os: string[] | null;
  target_browsers: string[] | null;
  target_keywords: string[] | null;
  target_categories: string[] | null;
  target_languages: string[] | null;
}

const TARGETS = [
  'target_countries',
  'target_devices',
  'target_os',
  'target_browsers',
  'target_keywords',
  'target_categories',
  'target_languages',
] as const;

const targetsOf = (
  thing: Targets,
  all: string,
  names: Readonly<Record<keyof Targets, string>>,
): [string, ReactNode][] => TARGETS.map((field) => [names[field], thing[field]?.join(', ') ?? all]);

const budget = (amount: number | null, none: string): ReactNode =>
  amount === null ? none : <Money amount={amount} />;

const datesOf = (thing: { start_date: string | null; end_date: string | null }): string | null =>
  thing.start_date === null && thing.end_date === null
    ? null
    : `${thing.start_date ?? '…'} – ${thing.end_date ?? '…'}`;
