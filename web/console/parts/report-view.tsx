import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { report } from '../texts/report.ts';
import { chosenMetrics, ColumnChoice } from './column-choice.tsx';
import { isHeld, type Line, type Metric, metricsOf, usualOf } from './report-cells.ts';
import { ClockNote, useHourWords } from './report-clock.tsx';
import { ReportChart } from './report-chart.tsx';
import type { Dimension } from './report-controls.tsx';
import { ReportFigures } from './report-figures.tsx';
import type { Days } from './report-range.ts';
import { usePreferences } from './preferences.tsx';
import type { ReportSearch } from './report-search.ts';
import { type DimensionCell, ReportTable } from './report-table.tsx';
import { useMarks, useTexts } from './texts.ts';
import { formatDay, When } from './time.tsx';

/** What every report of the API answers. */
export interface Reported extends Days {
  items: readonly object[];
  totals: object;
  timezone: string;
  as_of: string | null;
  is_final: boolean;
}

/** A report: how final it is, its sums, one figure drawn, and all of it as a table. */
export function ReportView(props: {
  now: Reported;
  /** The days before, where they are compared. */
  before: Reported | undefined;
  by: readonly Dimension[];
  /** The first one is drawn where none is chosen. */
  metrics: readonly Metric[];
  /** Those whose sums stand above. */
  figures: readonly Metric[];
  /** Those that have a column until others are chosen, where they are not those of every report. */
  usual?: readonly Metric[] | undefined;
  search: ReportSearch;
  change: (next: ReportSearch) => void;
  cell?: DimensionCell | undefined;
}) {
  const { now, before, by, search, change, cell } = props;
  const t = useTexts(report);
  const { gap } = useMarks();
  const { language } = usePreferences();
  const days = t.days(formatDay(now.start_date, language), formatDay(now.end_date, language));
  const [dimension] = by;
  const hourWords = useHourWords(now, by);
  const totals = now.totals as Line;
  const metrics = metricsOf(props.metrics, totals);
  const usual =
    props.usual === undefined ? usualOf(metrics, totals) : metricsOf(props.usual, totals);
  const columns = chosenMetrics(metrics, usual, search.figures);
  const uncounted = props.metrics
    .filter((each) => totals[each] === null)
    .map((each) => t.metrics[each]);
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {days} · {now.timezone} · {now.is_final ? t.final : t.notFinal}
        {gap}
        {now.as_of !== null && (
          <>
            {t.asOf} <When at={now.as_of} />
          </>
        )}
      </Text>
      <ClockNote {...{ now, before, by }} />
      <ReportFigures
        metrics={metricsOf(props.figures, totals)}
        totals={totals}
        before={before?.totals as Line | undefined}
      />
      {now.items.length === 0 ? (
        <Text>
          {t.none}
          {gap}
          {t.noneHelp}
        </Text>
      ) : (
        <>
          {by.length === 1 && dimension !== undefined && (
            <Drawn {...{ now, before, dimension, metrics, search, change }} />
          )}
          <Group justify="flex-end">
            <ColumnChoice
              metrics={metrics}
              shown={columns}
              onChoose={(figures) => change({ figures })}
            />
          </Group>
          <ReportTable
            lines={now.items as readonly Line[]}
            totals={totals}
            by={by}
            metrics={columns}
            sort={search.sort}
            onSort={(sort) => change({ sort })}
            cell={cell}
            hourWords={hourWords}
          />
          <Text size="sm" c="dimmed">
            {[t.removedHelp, ...(metrics.some(isHeld) ? [t.heldHelp] : [])].join(gap)}
            {gap}
            {uncounted.length > 0 && t.notCounted(uncounted.join(' · '))}
          </Text>
        </>
      )}
    </Stack>
  );
}

function Drawn(props: {
  now: Reported;
  before: Reported | undefined;
  dimension: Dimension;
  metrics: readonly Metric[];
  search: ReportSearch;
  change: (next: ReportSearch) => void;
}) {
  const { now, before, dimension, metrics, search, change } = props;
  const t = useTexts(report);
  const metric = metrics.find((each) => each === search.metric) ?? metrics[0] ?? 'impressions';
  return (
    <Stack gap="xs">
      <Group>
        <NativeSelect
          label={t.metric}
          value={metric}
          data={metrics.map((value) => ({ value, label: t.metrics[value] }))}
          onChange={(event) => change({ metric: event.currentTarget.value })}
        />
      </Group>
      <ReportChart {...{ metric, dimension, now, before }} />
    </Stack>
  );
}
