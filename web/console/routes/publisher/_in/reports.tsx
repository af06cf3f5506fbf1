import { createFileRoute } from '@tanstack/react-router';
import { ButtonLink } from '../../../parts/button-link.tsx';
import type { Metric } from '../../../parts/report-cells.ts';
import type { Dimension } from '../../../parts/report-controls.tsx';
import type { ExportRoutes } from '../../../parts/report-export.tsx';
import { ReportOrSchedules } from '../../../parts/report-or-schedules.tsx';
import { ReportPage } from '../../../parts/report-page.tsx';
import { type ReportSearch, reportSearch } from '../../../parts/report-search.ts';
import { numberOf, stated } from '../../../parts/search.ts';
import { EXPORT, EXPORTED, report } from '../../../queries/publisher/report.ts';
import { useTexts } from '../../../parts/texts.ts';
import { titles } from '../../../texts/titles.ts';
import { METRICS as JUDGED } from './-row-figures.ts';
import { unbilled } from '../../../texts/unbilled.ts';
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
  'page_host',
];
const METRICS: readonly Metric[] = [
  ...JUDGED,
  'pending_conversions',
  'approved_conversions',
  'rejected_conversions',
  'pending_revenue',
  'approved_revenue',
  'rejected_revenue',
];
const FIGURES = [
  'revenue',
  'requests',
  'impressions',
  'clicks',
  'removed',
  'ecpm',
  'pending_revenue',
  'rejected_conversions',
] as const;
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
  component: Page,
});

function Page() {
  return (
    <ReportOrSchedules realm="publisher" search={Route.useSearch()}>
      <Reports />
    </ReportOrSchedules>
  );
}

function Reports() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = (next: Search): void =>
    void navigate({ search: (was) => stated({ ...was, ...next }) as Search, replace: true });
  const narrowed = stated({ site_id: search.site_id, zone_id: search.zone_id });
  return (
    <ReportPage
      realm="publisher"
      search={search}
      narrowed={narrowed}
      onChange={change}
      dimensions={DIMENSIONS}
      metrics={METRICS}
      figures={FIGURES}
      routes={ROUTES}
      read={report}
      seeAlso={
        <ButtonLink to="/publisher/removed" search={narrowed} variant="default">
          {useTexts(unbilled).see}
        </ButtonLink>
      }
    >
      <Narrowing search={search} onChange={change} />
    </ReportPage>
  );
}
