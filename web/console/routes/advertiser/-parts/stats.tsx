import { Card, Group, Select, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { Chart } from '../../../parts/chart.tsx';
import { Failed } from '../../../parts/failed.tsx';
import { type Language, usePreferences } from '../../../parts/preferences.tsx';
import type { Reported } from '../../../parts/report-view.tsx';
import { Section } from '../../../parts/section.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { formatDay, formatShortDay } from '../../../parts/time.tsx';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { daysFrom } from './days.ts';
import { Finality } from './finality.tsx';
import type { StatsSearch } from './stats-search.ts';

const RANGES = [7, 14, 30, 90] as const;
const COLUMNS_MAX = 7;

type Row<Metric extends string> = { date?: string | undefined } & Record<Metric, number | null>;

/** What is counted of one thing by the day. */
export interface Counted<Metric extends string> extends Reported {
  items: readonly Row<Metric>[];
  totals: Record<Metric, number | null>;
}

/** How it is read; stable, so that a chart is not drawn anew for every reading. */
export interface Figures<Metric extends string> {
  metrics: readonly Metric[];
  format: (metric: Metric, value: number | null, language: Language) => string;
  /** Of a day without a row. */
  none: (metric: Metric) => number | null;
}

interface StatsProps<Metric extends string, Report extends Counted<Metric>> {
  title: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- keys of queries are of many shapes
  query: UseQueryOptions<any, Error, Report, any>;
  figures: Figures<Metric>;
  names: Readonly<Record<Metric, string>>;
  search: StatsSearch<Metric>;
  onChange: (change: StatsSearch<Metric>) => void;
  /** What leads to more. */
  beside?: ReactNode;
  /** What else is known of these days. */
  children?: (report: Report) => ReactNode;
}

/** One thing's days: the sums, one figure drawn, and all of it as a table. */
export function Stats<Metric extends string, Report extends Counted<Metric>>(
  props: StatsProps<Metric, Report>,
) {
  const { title, query, figures, names, search, onChange, beside, children } = props;
  const t = useTexts(inventory);
  const { data, error, refetch } = useQuery({ ...query, placeholderData: keepPreviousData });
  const [first] = figures.metrics as readonly [Metric];
  const { days = RANGES[0] } = search;
  const metric = figures.metrics.find((each) => each === search.metric) ?? first;
  return (
    <Section title={title} beside={beside}>
      <Group>
        <Select
          label={t.metric}
          size="sm"
          w={170}
          value={metric}
          data={figures.metrics.map((value) => ({ value, label: names[value] }))}
          onChange={(value) => onChange({ metric: (value ?? first) as Metric })}
          allowDeselect={false}
        />
        <Select
          label={t.range}
          size="sm"
          w={120}
          value={String(days)}
          data={RANGES.map((value) => ({ value: String(value), label: t.days(value) }))}
          onChange={(value) => onChange({ days: Number(value) })}
          allowDeselect={false}
        />
      </Group>
      {error !== null && data === undefined && (
        <Failed error={error} again={() => void refetch()} />
      )}
      {data !== undefined && (
        <Stack gap="xs">
          <Totals {...{ report: data, figures, names }} />
          {children?.(data)}
          {data.items.length === 0 ? (
            <Text c="dimmed" size="sm">
              {t.nothingYet}
            </Text>
          ) : (
            <>
              <Drawn {...{ report: data, figures, names, metric }} />
              <Days {...{ report: data, figures, names }} />
            </>
          )}
          <Finality report={data} />
        </Stack>
      )}
    </Section>
  );
}

interface ShownProps<Metric extends string> {
  report: Counted<Metric>;
  figures: Figures<Metric>;
  names: Readonly<Record<Metric, string>>;
}

function Drawn<Metric extends string>(props: ShownProps<Metric> & { metric: Metric }) {
  const { report, figures, names, metric } = props;
  const { language } = usePreferences();
  const at = useMemo(
    () => daysFrom(report.start_date, report.end_date),
    [report.start_date, report.end_date],
  );
  const days = useMemo(() => at.map((day) => formatShortDay(day, language)), [at, language]);
  const name = names[metric];
  const series = useMemo(() => {
    const byDay = new Map(report.items.map((row) => [row.date, row]));
    const valueOf = (day: string): number | null => {
      const row = byDay.get(day);
      return row === undefined ? figures.none(metric) : row[metric];
    };
    return [{ name, values: at.map(valueOf) }];
  }, [report.items, at, metric, name, figures]);
  const format = useMemo(
    () => (value: number) => figures.format(metric, value, language),
    [figures, metric, language],
  );
  return <Chart label={name} at={days} series={series} format={format} />;
}

function Totals<Metric extends string>({ report, figures, names }: ShownProps<Metric>) {
  const { language } = usePreferences();
  const { length: count } = figures.metrics;
  return (
    <SimpleGrid
      cols={{ base: 2, xs: 3, md: Math.ceil(count / Math.ceil(count / COLUMNS_MAX)) }}
      spacing="xs"
    >
      {figures.metrics.map((metric) => (
        <Card key={metric} withBorder padding="xs">
          <Text size="xs" c="dimmed">
            {names[metric]}
          </Text>
          <Text fw={600} className="number" ta="left">
            {figures.format(metric, report.totals[metric], language)}
          </Text>
        </Card>
      ))}
    </SimpleGrid>
  );
}

function Days<Metric extends string>({ report, figures, names }: ShownProps<Metric>) {
  const t = useTexts(inventory);
  const { language } = usePreferences();
  return (
    <details>
      <summary>{t.table}</summary>
      <Table.ScrollContainer minWidth={480}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.day}</Table.Th>
              {figures.metrics.map((metric) => (
                <Table.Th key={metric} className="number">
                  {names[metric]}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {report.items.map((row) => (
              <Table.Tr key={row.date}>
                <Table.Td>{row.date === undefined ? '' : formatDay(row.date, language)}</Table.Td>
                {figures.metrics.map((metric) => (
                  <Table.Td key={metric} className="number">
                    {figures.format(metric, row[metric], language)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </details>
  );
}
