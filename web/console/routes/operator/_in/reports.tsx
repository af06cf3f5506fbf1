import { Group } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { Filters } from '../../../parts/filters.tsx';
import { Page } from '../../../parts/page.tsx';
import type { Dimension } from '../../../parts/report-controls.tsx';
import { ReportOrSchedules } from '../../../parts/report-or-schedules.tsx';
import { ReportBody, useAsked } from '../../../parts/report-page.tsx';
import { ScheduleReport } from '../../../parts/report-schedule-button.tsx';
import { SaveReport } from '../../../parts/report-save.tsx';
import { type ReportSearch, reportSearch } from '../../../parts/report-search.ts';
import type { DimensionCell } from '../../../parts/report-table.tsx';
import { numberOf, stated } from '../../../parts/search.ts';
import { useTexts } from '../../../parts/texts.ts';
import { report } from '../../../queries/operator/report.ts';
import { report as words } from '../../../texts/report.ts';
import { titles } from '../../../texts/titles.ts';
import { FIGURES, METRICS, USUAL } from './-shown/report-metrics.ts';
import { PageLink } from './-shown/page-link.tsx';
import { AdvertiserPick, PublisherPick } from './-shown/picks.tsx';

const DIMENSIONS: readonly Dimension[] = [
  'date',
  'advertiser',
  'campaign',
  'publisher',
  'site',
  'zone',
  'country',
  'device',
  'hour',
  'os',
  'browser',
];
interface Search extends ReportSearch {
  advertiser_id?: number;
  publisher_id?: number;
}

export const Route = createFileRoute('/operator/_in/reports')({
  validateSearch: (raw: Record<string, unknown>): Search => ({
    ...reportSearch(raw),
    ...stated({
      advertiser_id: numberOf(raw['advertiser_id']),
      publisher_id: numberOf(raw['publisher_id']),
    }),
  }),
  staticData: { title: (language) => titles[language].operatorReports, views: 'reports' },
  component: Shown,
});

function Shown() {
  return (
    <ReportOrSchedules realm="admin" search={Route.useSearch()}>
      <Reports />
    </ReportOrSchedules>
  );
}

/** Viewers: known by the day. */
const IN_UTC: readonly Dimension[] = ['country', 'device', 'os', 'browser'];

const OF_PUBLISHERS: readonly Dimension[] = ['publisher', 'site', 'zone'];

const ACCOUNTS: Readonly<Partial<Record<Dimension, string>>> = {
  advertiser: 'advertisers',
  publisher: 'publishers',
};
const cell: DimensionCell = (line, dimension, text) => {
  const folder = ACCOUNTS[dimension];
  if (folder === undefined) return text;
  return <PageLink to={`/operator/${folder}/${line[`${dimension}_id`]}`}>{text}</PageLink>;
};

/** Days as they went by; of things, those with the most money first. */
function orderOf(by: readonly Dimension[], publisherId: number | undefined): string {
  if (by[0] === 'date' || by[0] === 'hour') return by[0];
  const isEarned = publisherId !== undefined || by.some((each) => OF_PUBLISHERS.includes(each));
  return isEarned ? '-publisher_revenue' : '-spend';
}

function Reports() {
  const t = useTexts(words);
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const { advertiser_id, publisher_id } = search;
  const change = (next: object): void =>
    void navigate({ search: (was) => stated({ ...was, ...next }) as Search, replace: true });
  // Each rollup knows one side: whoever chooses a publisher means no advertiser any more.
  const narrow = (next: object): void =>
    change({ advertiser_id: undefined, publisher_id: undefined, ...next });
  const narrowed = stated({ advertiser_id, publisher_id });
  const asked = useAsked({
    search,
    narrowed,
    dimensions: DIMENSIONS,
    inUtc: IN_UTC,
  });
  const onlyUtc = asked.by.some((each) => IN_UTC.includes(each)) ? t.onlyUtc : undefined;
  return (
    <Page
      title={t.title}
      main={
        <>
          <ScheduleReport
            {...{ search, narrowed }}
            realm="admin"
            by={asked.by}
            timeZone={asked.timeZone}
          />
          <SaveReport query={report(asked.ask)} by={asked.by} metrics={METRICS} />
        </>
      }
    >
      <ReportBody
        {...asked}
        search={{ sort: orderOf(asked.by, publisher_id), ...search }}
        onlyUtc={onlyUtc}
        onChange={change}
        dimensions={DIMENSIONS}
        metrics={METRICS}
        figures={FIGURES}
        usual={USUAL}
        read={report}
        cell={cell}
      >
        <Group gap="sm" align="flex-end">
          <Filters
            values={search}
            filters={[
              {
                kind: 'own',
                name: 'advertiser_id',
                label: t.dimensions.advertiser,
                field: AdvertiserPick,
              },
              {
                kind: 'own',
                name: 'publisher_id',
                label: t.dimensions.publisher,
                field: PublisherPick,
              },
            ]}
            onChange={narrow}
          />
        </Group>
      </ReportBody>
    </Page>
  );
}
