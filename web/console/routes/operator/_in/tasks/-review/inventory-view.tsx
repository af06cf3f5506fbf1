import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { AdShown, isOfWords } from '../../../../../parts/ad-shown.tsx';
import { Diff } from '../../../../../parts/diff.tsx';
import { Facts } from '../../../../../parts/facts.tsx';
import { Money } from '../../../../../parts/money.tsx';
import { OutsideLink } from '../../../../../parts/outside-link.tsx';
import { State } from '../../../../../parts/state.tsx';
import {
  TARGETING,
  type Targeting,
  useTargetingWords,
} from '../../../../../parts/targeting-words.ts';
import { useTexts } from '../../../../../parts/texts.ts';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { subject } from '../../../../../texts/subject.ts';
import { targetingTexts } from '../../../../../texts/targeting.ts';
import { useKindWords } from '../../-shown/kind-words.ts';
import { CreativeView } from './creative-view.tsx';

type Detail = TaskPage['detail'];

export function CampaignView({ detail: { campaign } }: { detail: Detail }) {
  const t = useTexts(subject);
  const kinds = useKindWords();
  const f = t.fields;
  const targets = useTargetRows(campaign);
  if (campaign === null) return <Text c="dimmed">{t.gone}</Text>;
  return (
    <Facts
      rows={[
        [f.name, campaign.name],
        [f.status, <State key="s" state={campaign.status} />],
        [f.landing_url, <OutsideLink key="l" url={campaign.landing_url} label={t.openElsewhere} />],
        [f.ad_type, kinds.ad(campaign.ad_type)],
        [f.pricing_model, campaign.pricing_model],
        [f.bid, <Money key="b" amount={campaign.bid} />],
        [f.daily_budget, budget(campaign.daily_budget, t.noLimit)],
        [f.total_budget, budget(campaign.total_budget, t.noLimit)],
        [f.dates, datesOf(campaign)],
        ...targets,
      ]}
    />
  );
}

export function AdGroupView({ detail: { adgroup } }: { detail: Detail }) {
  const t = useTexts(subject);
  const f = t.fields;
  const targets = useTargetRows(adgroup);
  if (adgroup === null) return <Text c="dimmed">{t.gone}</Text>;
  return (
    <Facts
      rows={[
        [f.name, adgroup.name],
        [f.status, <State key="s" state={adgroup.status} />],
        [f.bid, <Money key="b" amount={adgroup.bid} />],
        [f.daily_budget, budget(adgroup.daily_budget, t.noLimit)],
        [f.dates, datesOf(adgroup)],
        ...targets,
      ]}
    />
  );
}

/** An ad with the creative it shows, and the page that it leads to; beside what viewers read now. */
export function AdView({ detail, taskId }: { detail: Detail; taskId: number | null }) {
  const t = useTexts(subject);
  const f = t.fields;
  const { ad, campaign, ad_revision: proposed, ad_revision_before: before } = detail;
  if (ad === null || proposed === null) return <Text c="dimmed">{t.gone}</Text>;
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, lg: before === null ? 1 : 2 }}>
        <AdText
          title={proposed.is_serving ? t.serving : t.proposed}
          revision={proposed}
          detail={detail}
        />
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
  const { campaign, creative } = detail;
  // Of another creative than the one that lies here, the pictures are not known.
  const pictures = revision.creative_id === creative?.id ? detail.revision : null;
  const t = useTexts(subject);
  const f = t.fields;
  const own = revision.landing_url ?? '';
  const landingUrl = own === '' ? (campaign?.landing_url ?? '') : own;
  return (
    <Stack gap={4}>
      <Text fw={600} size="sm">
        {title} · {t.revision(revision.revision)}
      </Text>
      {creative !== null && pictures !== null && isOfWords(creative.type) && (
        <AdShown
          words={revision}
          name={creative.name}
          display={creative.type}
          pictures={pictures}
          landingUrl={landingUrl}
        />
      )}
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

/** What may be aimed at, with all of it where nothing is; the rest where something is set. */
const LIMITS: readonly string[] = ['weekdays', 'target_hours', 'frequency_cap', 'bid_adjustments'];

function useTargetRows(thing: Targeting | null): [string, string][] {
  const t = useTexts(subject);
  const { fields } = useTexts(targetingTexts);
  const inWords = useTargetingWords();
  if (thing === null) return [];
  return TARGETING.flatMap((field): [string, string][] => {
    const said = inWords(field, thing[field]);
    return said === undefined && LIMITS.includes(field)
      ? []
      : [[fields[field], said ?? t.everywhere]];
  });
}

const budget = (amount: number | null, none: string): ReactNode =>
  amount === null ? none : <Money amount={amount} />;

const datesOf = (thing: { start_date: string | null; end_date: string | null }): string | null =>
  thing.start_date === null && thing.end_date === null
    ? null
    : `${thing.start_date ?? '…'} – ${thing.end_date ?? '…'}`;
