import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { RevenueReport } from '../../../../client/routes.ts';
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
import { EXPORT, EXPORTED, report, type ReportQuery } from '../../../queries/publisher/report.ts';
import { publisher } from '../../../texts/publisher.ts';
import { titles } from '../../../texts/titles.ts';
import { type Narrowed, Narrowing } from './-narrowing.tsx';

const DIMENSIONS: readonly Dimension[] = [
  'date',
  'site',
  'zone',
  'country',
  'device',
  'hour',
  'os',
  'browser',
];
const METRICS: readonly Metric[] = [
  'revenue',
  'requests',
  'impressions',
  'viewable',
  'clicks',
  'conversions',
  'removed',
  'ctr',
  'ecpm',
];
const FIGURES = ['revenue', 'requests', 'impressions', 'clicks', 'removed', 'ecpm'] as const;
const ROUTES: ExportRoutes = {
  ask: EXPORT,
  file: EXPORTED,
  operation: 'GET /api/publisher/operations/{id}',
};

type Search = ReportSearch & Narrowed;

export const Route = createFileRoute('/publisher/_in/reports')({
  validateSearch: (raw: Record<string, unknown>): Search => ({
    ...reportSearch(raw),
    ...stated({ site_id: numberOf(raw['site_id']), zone_id: numberOf(raw['zone_id']) }),
  }),
  staticData: { title: (language) => titles[language].publisherReports, views: 'reports' },
  component: Reports,
});

function Reports() {
  const t = useTexts(publisher);
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const preferences = usePreferences();
  const timeZone = search.zone_name ?? preferences.timeZone;
  const by = DIMENSIONS.filter((each) => (search.by ?? 'date').split(',').includes(each));
  const query: ReportQuery = {
    ...daysOfSearch(search, timeZone),
    ...stated({ site_id: search.site_id, zone_id: search.zone_id }),
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
        <Narrowing search={search} onChange={change} />
      </ReportControls>
      <Loaded query={report(query)} height={400}>
        {(now) => <Shown {...{ now, by, search, query, change }} />}
      </Loaded>
    </Page>
  );
}

function Shown(props: {
  now: RevenueReport;
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
