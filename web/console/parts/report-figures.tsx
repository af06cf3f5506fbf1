import { Card, SimpleGrid, Text } from '@mantine/core';
import { report } from '../texts/report.ts';
import { numberFormat } from './formats.ts';
import { usePreferences } from './preferences.tsx';
import { formatMetric, type Line, type Metric } from './report-cells.ts';
import { useTexts } from './texts.ts';

/** The sums of a report, and of the days before where they are compared. */
export function ReportFigures({
  metrics,
  totals,
  before,
}: {
  metrics: readonly Metric[];
  totals: Line;
  before?: Line | undefined;
}) {
  const t = useTexts(report);
  const { language } = usePreferences();
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: metrics.length }} spacing="sm">
      {metrics.map((metric) => (
        <Card key={metric} withBorder padding="xs">
          <Text size="xs" c="dimmed">
            {t.metrics[metric]}
          </Text>
          <Text fw={600}>{formatMetric(metric, totals[metric] as number | null, language)}</Text>
          {before !== undefined && (
            <Text size="xs" c="dimmed">
              {t.before} {formatMetric(metric, before[metric] as number | null, language)}
              {changeOf(totals[metric], before[metric], language)}
            </Text>
          )}
        </Card>
      ))}
    </SimpleGrid>
  );
}

/** ` · +12%`; nothing where there was nothing to compare with. */
function changeOf(now: unknown, before: unknown, language: string): string | null {
  if (typeof now !== 'number' || typeof before !== 'number' || before === 0) return null;
  const percent = numberFormat(language, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  });
  return ` · ${percent.format(now / before - 1)}`;
}
