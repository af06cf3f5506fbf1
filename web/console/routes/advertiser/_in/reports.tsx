import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Failed } from '../../../parts/failed.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Page } from '../../../parts/page.tsx';
import { usePreferences } from '../../../parts/preferences.tsx';
import type { Metric } from '../../../parts/report-cells.ts';
import { type Dimension, ReportControls } from '../../../parts/report-controls.tsx';
import {
  ExportMenu,
  ExportProgress,
  type ExportRoutes,
  useExport,
} from '../../../parts/report-export.tsx';
import { daysBefore } from '../../../parts/report-range.ts';
import { daysOfSearch, type ReportSearch, reportSearch } from '../../../parts/report-search.ts';
import { ReportView } from '../../../parts/report-view.tsx';
import { numberOf, stated } from '../../../parts/search.ts';
import { useTexts } from '../../../parts/texts.ts';
import { list as campaigns } from '../../../queries/advertiser/campaign.ts';
import {
  EXPORT,
  EXPORTED,
  type Report,
  report,
  type ReportQuery,
} from '../../../queries/advertiser/report.ts';
import { advertiser } from '../../../texts/advertiser.ts';
import { titles } from '../../../texts/titles.ts';
import { common } from '../../../texts/common.ts';
import { report as words } from '../../../texts/report.ts';

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
];
const METRICS: readonly Metric[] = [
  'spend',
  'impressions',
  'viewable',
  'clicks',
  'conversions',
  'removed',
  'ctr',
  'cvr',
  'ecpm',
];
const FIGURES = ['spend', 'impressions', 'clicks', 'conversions', 'ctr', 'ecpm'] as const;
const ROUTES: ExportRoutes = {
  ask: EXPORT,
  file: EXPORTED,
  operation: 'GET /api/advertiser/operations/{id}',
};

interface Search extends ReportSearch {
  campaign_id?: number;
}

export const Route = createFileRoute('/advertiser/_in/reports')({
  validateSearch: (raw: Record<string, unknown>): Search => ({
    ...reportSearch(raw),
    ...stated({ campaign_id: numberOf(raw['campaign_id']) }),
  }),
  staticData: { title: (language) => titles[language].advertiserReports, views: 'reports' },
  component: Reports,
});

function Reports() {
  const t = useTexts(advertiser);
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const preferences = usePreferences();
  const timeZone = search.zone_name ?? preferences.timeZone;
  const by = DIMENSIONS.filter((each) => (search.by ?? 'date').split(',').includes(each));
  const query: ReportQuery = {
    ...daysOfSearch(search, timeZone),
    ...stated({ campaign_id: search.campaign_id }),
    group_by: by.join(','),
    timezone: timeZone,
  };
  const exporting = useExport(ROUTES);
  const change = (next: Search): void =>
    void navigate({ search: (was) => stated({ ...was, ...next }) as Search, replace: true });
  return (
    <Page
      title={t.reports}
      main={
        <ExportMenu
          busy={exporting.isAsking}
          begin={(format) => void exporting.begin({ ...query, format })}
        />
      }
    >
      {exporting.error !== null && <Failed error={exporting.error} />}
      {exporting.operationId !== undefined && (
        <ExportProgress routes={ROUTES} id={exporting.operationId} />
      )}
      <ReportControls
        {...{ search, by, timeZone }}
        dimensions={DIMENSIONS}
        onChange={(next) => change(next)}
      >
        <CampaignChoice search={search} onChange={change} />
      </ReportControls>
      <Loaded query={report(query)} height={400}>
        {(now) => <Shown {...{ now, by, search, query, change }} />}
      </Loaded>
    </Page>
  );
}

function CampaignChoice(props: { search: Search; onChange: (next: Search) => void }) {
  const { search, onChange } = props;
  const t = useTexts(words);
  const c = useTexts(common);
  const { data } = useQuery(campaigns({ page_size: 100 }));
  return (
    <Select
      label={t.dimensions.campaign}
      placeholder={c.all}
      data={(data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      value={search.campaign_id?.toString() ?? null}
      onChange={(next) =>
        onChange({ campaign_id: next === null ? undefined : Number(next) } as Search)
      }
      searchable
      clearable
      clearButtonProps={{ 'aria-label': c.clear }}
      w={190}
    />
  );
}

function Shown(props: {
  now: Report;
  by: readonly Dimension[];
  search: Search;
  query: ReportQuery;
  change: (next: Search) => void;
}) {
  const { now, by, search, query, change } = props;
  const isCompared = search.compare === 'yes';
  const earlier = daysBefore(now);
  const { data: before } = useQuery({ ...report({ ...query, ...earlier }), enabled: isCompared });
  return (
    <ReportView
      now={now}
      before={isCompared ? before : undefined}
      metrics={METRICS}
      figures={FIGURES}
      {...{ by, search, change }}
    />
  );
}
