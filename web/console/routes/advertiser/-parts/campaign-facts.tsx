import { Text } from '@mantine/core';
import type { Campaign } from '../../../../client/routes.ts';
import { Facts } from '../../../parts/facts.tsx';
import { Money } from '../../../parts/money.tsx';
import { usePreferences } from '../../../parts/preferences.tsx';
import { TARGETING, type Targeting, useTargetingWords } from '../../../parts/targeting-words.ts';
import { useTexts, wordOf } from '../../../parts/texts.ts';
import { formatDay, When } from '../../../parts/time.tsx';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';
import { targetingTexts } from '../../../texts/targeting.ts';
import { NamedLink } from './named-link.tsx';

/** What a campaign is set to, in words. */
export function CampaignFacts({ row }: { row: Campaign }) {
  const t = useTexts(inventory);
  const l = useTexts(launchTexts);
  const targeting = useTargetingRows(row);
  const schedule = useSchedule();
  return (
    <Facts
      rows={[
        [t.kind, wordOf(l.kinds, row.ad_type)],
        [
          t.bid,
          <span key="bid">
            <Money amount={row.bid} /> / {wordOf(l.per, row.pricing_model)}
          </span>,
        ],
        [
          t.dailyBudget,
          row.daily_budget === null ? t.noLimit : <Money amount={row.daily_budget} />,
        ],
        [
          t.totalBudget,
          row.total_budget === null ? t.noLimit : <Money amount={row.total_budget} />,
        ],
        [t.rotation, wordOf(t.rotations, row.rotation_mode)],
        [t.schedule, schedule(row)],
        [t.landing, <Landing key="landing" url={row.landing_url} />],
        ...targeting,
        [
          t.tracker,
          row.tracker_id === null ? null : (
            <NamedLink key="tracker" of="tracker" id={row.tracker_id} />
          ),
        ],
        [t.changed, <When key="changed" at={row.updated_at} />],
      ]}
    />
  );
}

export function Landing({ url }: { url: string | null }) {
  if (url === null) return <span>—</span>;
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {url}
    </Text>
  );
}

/** Its days, in words and in the reader's way of writing them. */
export function useSchedule(): (flight: Pick<Campaign, 'start_date' | 'end_date'>) => string {
  const { schedules } = useTexts(inventory);
  const { language } = usePreferences();
  const day = (each: string): string => formatDay(each, language);
  return ({ start_date: first, end_date: last }) => {
    if (first === null) return last === null ? schedules.always : schedules.until(day(last));
    return last === null ? schedules.from(day(first)) : schedules.between(day(first), day(last));
  };
}

/** Said even where they are open to all: what most ask first. */
const ALWAYS: readonly string[] = ['target_countries', 'target_devices', 'target_os'];

/** Whom, when and how often it is shown to; the rest is named where something is set. */
export function useTargetingRows(row: Targeting, none?: string): [string, string][] {
  const t = useTexts(inventory);
  const { fields } = useTexts(targetingTexts);
  const inWords = useTargetingWords();
  return TARGETING.flatMap((field): [string, string][] => {
    const said = inWords(field, row[field]);
    if (said !== undefined) return [[fields[field], said]];
    return ALWAYS.includes(field) ? [[fields[field], none ?? t.everything]] : [];
  });
}
