import { createFileRoute } from '@tanstack/react-router';
import { Pick } from '../../../parts/pick.tsx';
import type { Metric } from '../../../parts/report-cells.ts';
import type { Dimension } from '../../../parts/report-controls.tsx';
import type { ExportRoutes } from '../../../parts/report-export.tsx';
import { ReportOrSchedules } from '../../../parts/report-or-schedules.tsx';
import { ReportPage } from '../../../parts/report-page.tsx';
import { type ReportSearch, reportSearch } from '../../../parts/report-search.ts';
import { numberOf, stated } from '../../../parts/search.ts';
import { useTexts } from '../../../parts/texts.ts';
import { campaignPick } from '../../../queries/advertiser/picks.ts';
import { EXPORT, EXPORTED, report } from '../../../queries/advertiser/report.ts';
import { common } from '../../../texts/common.ts';
import { report as words } from '../../../texts/report.ts';
import { titles } from '../../../texts/titles.ts';
import { OfParent } from '../-parts/of-parent.tsx';
import { METRICS as JUDGED } from '../-parts/row-figures.ts';

const DIMENSIONS: readonly Dimension[] = [
  'date',
  'campaign',
  'adgroup',
  'ad',
  'creative',
  'country',
  'device',
  'hour',
  'os',
  'browser',
  'page_host',
];
const METRICS: readonly Metric[] = [
  ...JUDGED,
  'pending_conversions',
  'approved_conversions',
  'rejected_conversions',
  'pending_spend',
  'approved_spend',
  'rejected_spend',
];
const FIGURES = [
  'spend',
  'impressions',
  'clicks',
  'conversions',
  'ctr',
  'ecpm',
  'pending_spend',
  'rejected_conversions',
] as const;
const ROUTES: ExportRoutes = {
  ask: EXPORT,
  file: EXPORTED,
  operation: 'GET /api/advertiser/operations/{id}',
};

interface Search extends ReportSearch {
  campaign_id?: number;
  /** Where a link led to the report of one alone. */
  adgroup_id?: number;
  ad_id?: number;
}

export const Route = createFileRoute('/advertiser/_in/reports')({
  validateSearch: (raw: Record<string, unknown>): Search => ({
    ...reportSearch(raw),
    ...stated({
      campaign_id: numberOf(raw['campaign_id']),
      adgroup_id: numberOf(raw['adgroup_id']),
      ad_id: numberOf(raw['ad_id']),
    }),
  }),
  staticData: { title: (language) => titles[language].advertiserReports, views: 'reports' },
  component: Page,
});

function Page() {
  return (
    <ReportOrSchedules realm="advertiser" search={Route.useSearch()}>
      <Reports />
    </ReportOrSchedules>
  );
}

function Reports() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const { campaign_id, adgroup_id, ad_id } = search;
  const change = (next: Search): void =>
    void navigate({ search: (was) => stated({ ...was, ...next }) as Search, replace: true });
  return (
    <ReportPage
      realm="advertiser"
      search={search}
      narrowed={stated({ campaign_id, adgroup_id, ad_id })}
      onChange={change}
      dimensions={DIMENSIONS}
      metrics={METRICS}
      figures={FIGURES}
      routes={ROUTES}
      read={report}
    >
      <CampaignChoice search={search} onChange={change} />
      <OfParent
        search={{ adgroup_id, ad_id }}
        onChange={(all) => change(all as Pick<Search, 'adgroup_id' | 'ad_id'>)}
      />
    </ReportPage>
  );
}

function CampaignChoice(props: { search: Search; onChange: (next: Search) => void }) {
  const { search, onChange } = props;
  const t = useTexts(words);
  const c = useTexts(common);
  return (
    <Pick
      label={t.dimensions.campaign}
      unset={c.all}
      source={campaignPick}
      value={search.campaign_id?.toString() ?? null}
      onPick={(next) =>
        onChange({ campaign_id: next === null ? undefined : Number(next.value) } as Search)
      }
    />
  );
}
