import { useMemo } from 'react';
import { report } from '../texts/report.ts';
import { Chart } from './chart.tsx';
import { hourText } from './formats.ts';
import { usePreferences } from './preferences.tsx';
import { formatMetric, labelOf, type Line, type Metric } from './report-cells.ts';
import { useHourWords } from './report-clock.tsx';
import type { Dimension } from './report-controls.tsx';
import { eachDay } from './report-range.ts';
import type { Reported } from './report-view.tsx';
import { useMarks, useTexts } from './texts.ts';
import { formatShortDay } from './time.tsx';

const BARS_MAX = 12;

/** One figure drawn along days or hours, or of the largest things; the table beside it has all. */
export function ReportChart({
  metric,
  dimension,
  now,
  before,
}: {
  metric: Metric;
  dimension: Dimension;
  now: Reported;
  before: Reported | undefined;
}) {
  const t = useTexts(report);
  const { comma } = useMarks();
  const { language } = usePreferences();
  const hourWords = useHourWords(now, [dimension]);
  const drawn = useMemo(() => {
    const along = dimension === 'date' || dimension === 'hour';
    const format = (value: number): string => formatMetric(metric, value, language);
    const name = t.metrics[metric];
    if (!along) {
      const top = linesOf(now)
        .toSorted((one, other) => Number(other[metric] ?? 0) - Number(one[metric] ?? 0))
        .slice(0, BARS_MAX);
      return {
        kind: 'bar' as const,
        at: top.map((line) => labelOf(line, dimension, t, language)),
        series: [{ name, values: top.map((line) => Number(line[metric] ?? 0)) }],
        format,
      };
    }
    const values = (period: Reported) =>
      alongOf(dimension, period).map((at) => valueAt(period, dimension, at, metric));
    const at = alongOf(dimension, now);
    return {
      at: at.map((each) =>
        dimension === 'hour'
          ? hourWords({ hour: each }, hourText(each))
          : formatShortDay(each, language),
      ),
      series: [
        { name, values: values(now) },
        ...(before === undefined
          ? []
          : [{ name: `${name}${comma}${t.before}`, values: values(before), isComparison: true }]),
      ],
      format,
    };
  }, [metric, dimension, now, before, t, language, hourWords]);
  return <Chart label={t.metrics[metric]} {...drawn} />;
}

const HOURS = Array.from({ length: 24 }, (_none, hour) => String(hour));

const linesOf = ({ items }: Reported): readonly Line[] => items as readonly Line[];

const alongOf = (dimension: Dimension, days: Reported): string[] =>
  dimension === 'hour' ? HOURS : eachDay(days);

function valueAt(reported: Reported, dimension: Dimension, at: string, metric: Metric): number {
  const line = linesOf(reported).find((each) => String(each[dimension]) === at);
  return Number(line?.[metric] ?? 0);
}
