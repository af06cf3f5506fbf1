import { report } from '../texts/report.ts';
import { FigureCards } from './figure-cards.tsx';
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
  const shown = (line: Line, metric: Metric): string =>
    formatMetric(metric, line[metric] as number | null, language);
  return (
    <FigureCards
      figures={metrics.map((metric) => ({
        name: t.metrics[metric],
        value: shown(totals, metric),
        ...(before === undefined
          ? {}
          : {
              more: (
                <>
                  {t.before} {shown(before, metric)}
                  {changeOf(totals[metric], before[metric], language)}
                </>
              ),
            }),
      }))}
    />
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
