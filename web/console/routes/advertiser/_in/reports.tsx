import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Failed } from '../../../parts/failed.tsx';
import { Page } from '../../../parts/page.tsx';
import { usePreferences } from '../../../parts/preferences.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { type Report, report } from '../../../queries/advertiser/report.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { reportTexts } from '../../../texts/advertiser/report.ts';
import { common } from '../../../texts/common.ts';
import { Finality } from '../-parts/finality.tsx';
import { formatMetric, METRICS } from '../-parts/metrics.ts';
import { ReportChart } from '../-parts/report-chart.tsx';
import { ReportControls } from '../-parts/report-controls.tsx';
import { ExportMenu, ExportProgress } from '../-parts/report-export.tsx';
import { askBefore, askOf, dimensionsOf, reportSearch } from '../-parts/report-search.ts';
import { ReportTable } from '../-parts/report-table.tsx';

export const Route = createFileRoute('/advertiser/_in/reports')({
  validateSearch: reportSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(report(askOf(deps)));
  },
  staticData: { title: (language) => reportTexts[language].title },
  component: Reports,
});

function Reports() {
  const t = useTexts(reportTexts);
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const ask = askOf(search);
  const onChange = (change: Record<string, string | number | undefined>): void =>
    void navigate({
      search: (was) => ({ ...was, operation: undefined, ...change }) as never,
      replace: true,
    });
  return (
    <Page
      title={t.title}
      main={<ExportMenu ask={ask} onOperation={(operation) => onChange({ operation })} />}
    >
      <ReportControls search={search} onChange={onChange} />
      {search.operation !== undefined && <ExportProgress id={search.operation} />}
      <Shown />
    </Page>
  );
}

function Shown() {
  const t = useTexts(reportTexts);
  const c = useTexts(common);
  const search = Route.useSearch();
  const ask = askOf(search);
  const isCompared = search.compare === '1';
  const now = useQuery({ ...report(ask), placeholderData: keepPreviousData });
  const before = useQuery({ ...report(askBefore(ask)), enabled: isCompared });
  const dimensions = useMemo(() => dimensionsOf(search.by), [search.by]);
  if (now.error !== null) {
    return <Failed error={now.error} again={() => void now.refetch()} />;
  }
  if (now.data === undefined) return <Skeleton height={320} aria-label={c.loading} />;
  const held = now.data.group_by.join() === dimensions.join() ? dimensions : [];
  return (
    <Stack gap="md" aria-busy={now.isPlaceholderData}>
      <Figures now={now.data} before={isCompared ? before.data : undefined} />
      {now.data.items.length === 0 ? (
        <Stack align="center" py="xl">
          <Text fw={600}>{t.none}</Text>
          <Text c="dimmed">{t.noneHelp}</Text>
        </Stack>
      ) : (
        held.length > 0 && (
          <>
            <ReportChart
              report={now.data}
              before={isCompared ? before.data : undefined}
              dimensions={held}
              metric={search.metric ?? 'spend'}
            />
            <ReportTable report={now.data} dimensions={held} />
          </>
        )
      )}
      <Finality report={now.data} />
    </Stack>
  );
}

/** The sums; beside each how it stands to the days before. */
function Figures({ now, before }: { now: Report; before: Report | undefined }) {
  const i = useTexts(inventory);
  const t = useTexts(reportTexts);
  const { language } = usePreferences();
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }} spacing="xs">
      {METRICS.map((metric) => (
        <div key={metric} data-figure={metric}>
          <Text size="xs" c="dimmed">
            {i.metrics[metric]}
          </Text>
          <Text fw={600} size="lg">
            {formatMetric(metric, now.totals[metric], language)}
          </Text>
          {before !== undefined && (
            <Text size="xs" c="dimmed">
              {t.before}: {formatMetric(metric, before.totals[metric], language)}
            </Text>
          )}
        </div>
      ))}
    </SimpleGrid>
  );
}
