import { Text } from '@mantine/core';
import { formatMoney } from '../../../parts/money.tsx';
import { numberFormat } from '../../../parts/formats.ts';
import { usePreferences } from '../../../parts/preferences.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { withinIn } from '../../../parts/duration.ts';
import { stats, type TrackerStats as Counted } from '../../../queries/advertiser/tracker.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { trackerTexts } from '../../../texts/advertiser/tracker.ts';
import { type Figures, Stats } from './stats.tsx';
import { lastDays } from './days.ts';
import type { StatsSearch } from './stats-search.ts';
import { TRACKER_METRICS, type TrackerMetric } from './tracker-metrics.ts';

const FIGURES: Figures<TrackerMetric> = {
  metrics: TRACKER_METRICS,
  format: (metric, value, language) =>
    metric === 'value'
      ? formatMoney(value ?? 0, language)
      : numberFormat(language).format(value ?? 0),
  none: () => 0,
};

/** Conversions of one tracker by the day and by what became of them, and how long after their clicks they came. */
export function TrackerStats(props: {
  id: number;
  search: StatsSearch<TrackerMetric>;
  onChange: (change: StatsSearch<TrackerMetric>) => void;
}) {
  const { id, search, onChange } = props;
  const t = useTexts(trackerTexts);
  const i = useTexts(inventory);
  return (
    <Stats
      title={i.stats}
      query={stats(id, lastDays(search))}
      figures={FIGURES}
      names={t.counted}
      search={search}
      onChange={onChange}
    >
      {(report) => <AfterTheClick report={report} />}
    </Stats>
  );
}

function AfterTheClick({ report }: { report: Counted }) {
  const t = useTexts(trackerTexts);
  const { language } = usePreferences();
  const { click_to_conversion: delay, totals } = report;
  return (
    <>
      {delay !== null && (
        <Text size="sm">
          {t.afterClick(
            withinIn(delay.median_seconds, language),
            withinIn(delay.p90_seconds, language),
          )}
        </Text>
      )}
      {totals.foreign_currency > 0 && <Text size="sm">{t.foreign(totals.foreign_currency)}</Text>}
    </>
  );
}
