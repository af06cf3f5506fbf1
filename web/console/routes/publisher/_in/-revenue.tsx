import { Stack, Text } from '@mantine/core';
import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RevenueReport } from '../../../../client/routes.ts';
import { Chart } from '../../../parts/chart.tsx';
import { FigureCards } from '../../../parts/figure-cards.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Count, formatFigure } from '../../../parts/money.tsx';
import { formatMetric } from '../../../parts/report-cells.ts';
import { eachDay } from '../../../parts/report-range.ts';
import { usePreferences } from '../../../parts/preferences.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { formatShortDay } from '../../../parts/time.tsx';
import { publisher } from '../../../texts/publisher.ts';

/** A week in short: its figures, and its days as a line. */
export function Revenue<Key extends QueryKey>({
  query,
}: {
  query: UseQueryOptions<RevenueReport, Error, RevenueReport, Key>;
}) {
  const t = useTexts(publisher);
  return (
    <Loaded query={query} height={260}>
      {(report) =>
        (report.totals.requests ?? 0) === 0 && report.totals.impressions === 0 ? (
          <Text size="sm" c="dimmed">
            {t.noFigures}
          </Text>
        ) : (
          <Stack gap="sm">
            <Figures totals={report.totals} />
            <Days report={report} />
          </Stack>
        )
      }
    </Loaded>
  );
}

function Figures({ totals }: { totals: RevenueReport['totals'] }) {
  const t = useTexts(publisher);
  const { language } = usePreferences();
  return (
    <FigureCards
      figures={[
        { name: t.revenue, value: formatMetric('revenue', totals.revenue, language) },
        { name: t.requests, value: <Count value={totals.requests} /> },
        { name: t.impressions, value: <Count value={totals.impressions} /> },
        { name: t.clicks, value: <Count value={totals.clicks} /> },
        { name: t.ecpm, value: formatMetric('ecpm', totals.ecpm, language) },
      ]}
    />
  );
}

function Days({ report }: { report: RevenueReport }) {
  const t = useTexts(publisher);
  const { language } = usePreferences();
  const drawn = useMemo(() => {
    const byDay = new Map(report.items.map((row) => [row.date ?? '', row.revenue]));
    const at = eachDay(report);
    return {
      at: at.map((day) => formatShortDay(day, language)),
      series: [{ name: t.revenue, values: at.map((day) => byDay.get(day) ?? 0) }],
      format: (value: number) => formatFigure(value, language),
    };
  }, [report, t.revenue, language]);
  return <Chart label={t.revenueByDay} {...drawn} />;
}
