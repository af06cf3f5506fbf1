import { Card, Group, Select, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ButtonLink } from '../../../parts/button-link.tsx';
import { Chart } from '../../../parts/chart.tsx';
import { Failed } from '../../../parts/failed.tsx';
import { linkTo } from '../../../parts/link-to.ts';
import { usePreferences } from '../../../parts/preferences.tsx';
import { Section } from '../../../parts/section.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { formatDay, formatShortDay } from '../../../parts/time.tsx';
import { formatMetric } from '../../../parts/report-cells.ts';
import type { Report } from '../../../queries/advertiser/report.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { daysFrom } from './days.ts';
import { Finality } from './finality.tsx';
import { figureOf, type Metric, METRICS } from './metrics.ts';

export const RANGES = [7, 14, 30, 90] as const;

interface StatsProps {
  // oxlint-disable-next-line typescript/no-explicit-any -- keys of queries are of many shapes
  query: UseQueryOptions<Report, Error, Report, any>;
  metric: Metric;
  days: number;
  onChange: (change: { metric?: Metric; days?: number }) => void;
  /** The report that says more. */
  report: string;
}

/** One thing's days: the sums, one figure drawn, and all of it as a table. */
export function Stats({ query, metric, days, onChange, report }: StatsProps) {
  const t = useTexts(inventory);
  const { data, error, refetch } = useQuery({ ...query, placeholderData: keepPreviousData });
  return (
    <Section
      title={t.stats}
      beside={
        <ButtonLink {...linkTo(report)} size="compact-sm" variant="default">
          {t.fullReport}
        </ButtonLink>
      }
    >
      <Group>
        <Select
          label={t.metric}
          size="sm"
          w={170}
          value={metric}
          data={METRICS.map((value) => ({ value, label: t.metrics[value] }))}
          onChange={(value) => onChange({ metric: (value ?? 'spend') as Metric })}
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
      {data !== undefined && <Drawn report={data} metric={metric} />}
    </Section>
  );
}

function Drawn({ report, metric }: { report: Report; metric: Metric }) {
  const t = useTexts(inventory);
  const { language } = usePreferences();
  const at = useMemo(
    () => daysFrom(report.start_date, report.end_date),
    [report.start_date, report.end_date],
  );
  const days = useMemo(() => at.map((day) => formatShortDay(day, language)), [at, language]);
  const series = useMemo(() => {
    const byDay = new Map(report.items.map((row) => [row.date, row]));
    const values = at.map((day) => figureOf(byDay.get(day), metric));
    return [{ name: t.metrics[metric], values }];
  }, [report.items, at, metric, t]);
  return (
    <Stack gap="xs">
      <Totals report={report} />
      {report.items.length === 0 ? (
        <Text c="dimmed" size="sm">
          {t.nothingYet}
        </Text>
      ) : (
        <>
          <Chart
            label={t.metrics[metric]}
            at={days}
            series={series}
            format={FORMATS[language][metric]}
          />
          <Days report={report} />
        </>
      )}
      <Finality report={report} />
    </Stack>
  );
}

/** Stable, so that a chart is not drawn anew for every reading. */
const formatsIn = (language: 'en' | 'zh') =>
  Object.fromEntries(
    METRICS.map((metric) => [metric, (value: number) => formatMetric(metric, value, language)]),
  ) as Record<Metric, (value: number) => string>;
const FORMATS = { en: formatsIn('en'), zh: formatsIn('zh') };

export function Totals({ report }: { report: Pick<Report, 'totals'> }) {
  const t = useTexts(inventory);
  const { language } = usePreferences();
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }} spacing="xs">
      {METRICS.map((metric) => (
        <Card key={metric} withBorder padding="xs">
          <Text size="xs" c="dimmed">
            {t.metrics[metric]}
          </Text>
          <Text fw={600} className="number" ta="left">
            {formatMetric(metric, report.totals[metric], language)}
          </Text>
        </Card>
      ))}
    </SimpleGrid>
  );
}

function Days({ report }: { report: Report }) {
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
              {METRICS.map((metric) => (
                <Table.Th key={metric} className="number">
                  {t.metrics[metric]}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {report.items.map((row) => (
              <Table.Tr key={row.date}>
                <Table.Td>{row.date === undefined ? '' : formatDay(row.date, language)}</Table.Td>
                {METRICS.map((metric) => (
                  <Table.Td key={metric} className="number">
                    {formatMetric(metric, row[metric], language)}
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
