import { ButtonLink } from '../../../parts/button-link.tsx';
import { linkTo } from '../../../parts/link-to.ts';
import { formatMetric } from '../../../parts/report-cells.ts';
import { useTexts } from '../../../parts/texts.ts';
import { statsOf } from '../../../queries/advertiser/report.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { report as words } from '../../../texts/report.ts';
import { figureOf, type Metric, METRICS } from './metrics.ts';
import { type Figures, Stats } from './stats.tsx';
import { lastDays } from './days.ts';
import type { StatsSearch } from './stats-search.ts';

const ALL: Figures<Metric> = {
  metrics: METRICS,
  format: formatMetric,
  none: (metric) => figureOf(undefined, metric),
};
/** Only videos are watched to their end. */
const UNWATCHED = { ...ALL, metrics: METRICS.filter((metric) => metric !== 'views') };

/** What a campaign, ad group or ad brought in the last days, and the report of it alone for the same days. */
export function InventoryStats(props: {
  of: 'campaign' | 'adgroup' | 'ad';
  id: number;
  hasViews: boolean;
  search: StatsSearch<Metric>;
  onChange: (change: StatsSearch<Metric>) => void;
}) {
  const { of, id, hasViews, search, onChange } = props;
  const t = useTexts(inventory);
  const w = useTexts(words);
  const asked = lastDays(search);
  const days = `range=own&from=${asked.start_date}&to=${asked.end_date}&zone_name=UTC`;
  return (
    <Stats
      title={t.stats}
      query={statsOf(of, id, asked)}
      figures={hasViews ? ALL : UNWATCHED}
      names={w.metrics}
      search={search}
      onChange={onChange}
      beside={
        <ButtonLink
          {...linkTo(`/advertiser/reports?${of}_id=${id}&${days}`)}
          size="compact-sm"
          variant="default"
        >
          {t.fullReport}
        </ButtonLink>
      }
    />
  );
}
