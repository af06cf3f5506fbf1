import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Realm } from '../session.ts';
import { report as words } from '../texts/report.ts';
import { Failed } from './failed.tsx';
import { Loaded } from './loaded.tsx';
import { Page } from './page.tsx';
import { usePreferences } from './preferences.tsx';
import type { Metric } from './report-cells.ts';
import { DIMENSIONS_MAX, type Dimension, ReportControls } from './report-controls.tsx';
import {
  ExportMenu,
  ExportProgress,
  type ExportRoutes,
  ReadyExport,
  useExport,
} from './report-export.tsx';
import { daysBefore, type Days } from './report-range.ts';
import { daysOfSearch, type ReportSearch } from './report-search.ts';
import type { DimensionCell } from './report-table.tsx';
import { ScheduleReport } from './report-schedule-button.tsx';
import { type Reported, ReportView } from './report-view.tsx';
import { useTexts } from './texts.ts';

/** What the routes of every report take; each side adds what its own may be narrowed to. */
export interface ReportAsk extends Days {
  group_by: string;
  timezone: string;
}

interface ReportProps {
  realm: Realm;
  search: ReportSearch;
  /** To one campaign, site or zone, as the routes name it. */
  narrowed: Readonly<Record<string, number>>;
  onChange: (change: ReportSearch) => void;
  /** As far as this side may see them. */
  dimensions: readonly Dimension[];
  metrics: readonly Metric[];
  /** Those whose sums stand above. */
  figures: readonly Metric[];
  /** Those that have a column until others are chosen; all, where a screen has room for them. */
  usual?: readonly Metric[];
  routes: ExportRoutes;
  /** The question to the route of this side. */
  read: (ask: ReportAsk) => ReportQuery;
  /** Further filters. */
  children: ReactNode;
  /** Where what is counted here is told of in full. */
  seeAlso?: ReactNode;
  /** Of the table: a link in place of a name. */
  cell?: DimensionCell;
  /** Why the days are those of UTC, whatever the reader's zone. */
  onlyUtc?: string | undefined;
}
type BodyProps = Omit<ReportProps, 'realm' | 'narrowed' | 'routes'> & Asked;

// oxlint-disable-next-line typescript/no-explicit-any -- keys of queries are of many shapes
export type ReportQuery = UseQueryOptions<any, Error, Reported, any>;

/** A report with what is asked of it and its export; the address holds all of it. */
export function ReportPage(props: ReportProps) {
  const { realm, search, routes, narrowed } = props;
  const t = useTexts(words);
  const asked = useAsked(props);
  const { ask } = asked;
  const exporting = useExport(routes, (id) => props.onChange({ export: id, file: undefined }));
  return (
    <Page
      title={t.title}
      main={
        <>
          {props.seeAlso}
          <ScheduleReport
            {...{ realm, search, narrowed }}
            by={asked.by}
            timeZone={asked.timeZone}
          />
          <ExportMenu
            busy={exporting.isAsking}
            begin={(format) => void exporting.begin({ ...ask, format })}
          />
        </>
      }
    >
      {exporting.error !== null && <Failed error={exporting.error} />}
      {search.export !== undefined && <ExportProgress routes={routes} id={search.export} />}
      {search.file !== undefined && <ReadyExport routes={routes} id={search.file} />}
      <ReportBody {...props} {...asked} />
    </Page>
  );
}

interface Asked {
  by: readonly Dimension[];
  timeZone: string;
  ask: ReportAsk;
}

/** What the address asks, in the reader's time zone where it says none. */
export function useAsked({
  search,
  narrowed,
  dimensions,
  inUtc = [],
}: Pick<ReportProps, 'search' | 'narrowed' | 'dimensions'> & {
  /** Dimensions that are counted by days of UTC alone. */
  inUtc?: readonly Dimension[];
}): Asked {
  const preferences = usePreferences();
  const asked = (search.by ?? '').split(',');
  const known = dimensions.filter((each) => asked.includes(each)).slice(0, DIMENSIONS_MAX);
  // Of none of these words, a report would have no column that says what a line is of.
  const by = known.length === 0 ? dimensions.filter((each) => each === 'date') : known;
  const isUtc = by.some((each) => inUtc.includes(each));
  const timeZone = isUtc ? 'UTC' : (search.zone_name ?? preferences.timeZone);
  const days = daysOfSearch(search, timeZone);
  const ask = { ...days, ...narrowed, group_by: by.join(','), timezone: timeZone };
  return { by, timeZone, ask };
}

/** The choices of a report, and what it answers. */
export function ReportBody(props: BodyProps) {
  const { search, by, timeZone, dimensions, ask, read, children, onlyUtc } = props;
  // From the first choice on: sent to somebody elsewhere, the address means the same days.
  const zone_name = onlyUtc === undefined ? timeZone : search.zone_name;
  const onChange = (next: ReportSearch): void =>
    props.onChange({ ...(zone_name === undefined ? {} : { zone_name }), ...next });
  return (
    <>
      <ReportControls {...{ search, by, timeZone, dimensions, onChange }} zoneRefusal={onlyUtc}>
        {children}
      </ReportControls>
      <Loaded query={read(ask)} height={400}>
        {(now) => <Shown {...props} now={now} onChange={onChange} />}
      </Loaded>
    </>
  );
}

function Shown(props: BodyProps & { now: Reported }) {
  const { now, by, ask, search, metrics, figures, usual, read, onChange, cell } = props;
  const isCompared = search.compare === 'yes';
  const { data: before } = useQuery({
    ...read({ ...ask, ...daysBefore(now) }),
    enabled: isCompared,
  });
  return (
    <ReportView
      now={now}
      before={isCompared ? before : undefined}
      change={onChange}
      {...{ by, metrics, figures, usual, search, cell }}
    />
  );
}
