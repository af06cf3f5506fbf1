import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { report } from '../texts/report.ts';
import { type Line, type Metric, NAMED } from './report-cells.ts';
import type { Dimension } from './report-controls.tsx';
import type { ReportQuery } from './report-page.tsx';
import { saveCsv } from './save-csv.ts';
import { useTexts } from './texts.ts';

/** All lines of a report that is there as a file: names of columns and figures as the API has them. */
export function SaveReport(props: {
  query: ReportQuery;
  by: readonly Dimension[];
  metrics: readonly Metric[];
}) {
  const { query, by, metrics } = props;
  const t = useTexts(report);
  const { data } = useQuery(query);
  const save = (): void => {
    if (data === undefined) return;
    const columns = [
      ...by.flatMap((each) => (NAMED.has(each) ? [`${each}_id`, `${each}_name`] : [each])),
      ...metrics,
    ];
    const state = [data.timezone, data.as_of ?? '', String(data.is_final)];
    saveCsv(`report_${data.start_date}_${data.end_date}_${by.join('-')}.csv`, [
      [...columns, 'timezone', 'as_of', 'is_final'],
      ...(data.items as readonly Line[]).map((line) => [
        ...columns.map((column) => String(line[column] ?? '')),
        ...state,
      ]),
    ]);
  };
  return (
    <Button variant="default" disabled={data === undefined} onClick={save}>
      {t.exportAs('CSV')}
    </Button>
  );
}
