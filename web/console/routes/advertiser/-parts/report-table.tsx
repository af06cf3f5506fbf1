import { Anchor, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { countryName } from '../../../parts/countries.ts';
import { type Language, usePreferences } from '../../../parts/preferences.tsx';
import { useTexts, wordOf } from '../../../parts/texts.ts';
import type { Report, ReportRow } from '../../../queries/advertiser/report.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';
import { reportTexts } from '../../../texts/advertiser/report.ts';
import { formatMetric, METRICS } from './metrics.ts';
import type { ReportDimension } from './report-search.ts';

const ROWS_MAX = 500;

/** Every row and the sum of all; wide ones scroll by themselves. */
export function ReportTable(props: { report: Report; dimensions: readonly ReportDimension[] }) {
  const { report, dimensions } = props;
  const t = useTexts(reportTexts);
  const i = useTexts(inventory);
  const { language } = usePreferences();
  const shown = report.items.slice(0, ROWS_MAX);
  const number = (value: number): string => new Intl.NumberFormat(language).format(value);
  return (
    <>
      <Table.ScrollContainer minWidth={720}>
        <Table highlightOnHover withRowBorders aria-label={t.title}>
          <Table.Thead>
            <Table.Tr>
              {dimensions.map((dimension) => (
                <Table.Th key={dimension}>{t.dimensions[dimension]}</Table.Th>
              ))}
              {METRICS.map((metric) => (
                <Table.Th key={metric} className="number">
                  {i.metrics[metric]}
                </Table.Th>
              ))}
              <Table.Th className="number" title={t.removedHelp}>
                {t.removed}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Table.Tr data-row="total">
              <Table.Th colSpan={dimensions.length}>{t.total}</Table.Th>
              {METRICS.map((metric) => (
                <Table.Td key={metric} className="number" fw={600}>
                  {formatMetric(metric, report.totals[metric], language)}
                </Table.Td>
              ))}
              <Table.Td className="number" fw={600}>
                {number(report.totals.removed)}
              </Table.Td>
            </Table.Tr>
            {shown.map((row) => (
              <Table.Tr key={dimensions.map((each) => keyOf(row, each)).join('|')}>
                {dimensions.map((dimension) => (
                  <Table.Td key={dimension}>
                    <Cell row={row} dimension={dimension} language={language} />
                  </Table.Td>
                ))}
                {METRICS.map((metric) => (
                  <Table.Td key={metric} className="number">
                    {formatMetric(metric, row[metric], language)}
                  </Table.Td>
                ))}
                <Table.Td className="number">{number(row.removed)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {report.items.length > ROWS_MAX && (
        <Text size="sm" c="dimmed">
          {t.more(ROWS_MAX, report.items.length)}
        </Text>
      )}
    </>
  );
}

const PAGES = {
  campaign: '/advertiser/campaigns',
  adgroup: '/advertiser/ad-groups',
  ad: '/advertiser/ads',
  creative: '/advertiser/creatives',
} as const;

const isThing = (dimension: ReportDimension): dimension is keyof typeof PAGES => dimension in PAGES;

export const keyOf = (row: ReportRow, dimension: ReportDimension): string =>
  String(isThing(dimension) ? row[`${dimension}_id`] : row[dimension]);

export function labelOf(row: ReportRow, dimension: ReportDimension, language: Language): string {
  if (isThing(dimension)) return row[`${dimension}_name`] ?? `#${row[`${dimension}_id`]}`;
  const value = row[dimension];
  if (value === undefined || value === '') return '—';
  if (dimension === 'hour') return `${String(value).padStart(2, '0')}:00`;
  if (dimension === 'country' && /^[A-Z]{2}$/.test(String(value))) {
    return countryName(String(value), language);
  }
  return String(value);
}

function Cell(props: { row: ReportRow; dimension: ReportDimension; language: Language }) {
  const { row, dimension, language } = props;
  const l = useTexts(launchTexts);
  const label = labelOf(row, dimension, language);
  if (dimension === 'device') return <span>{wordOf(l.deviceNames, label)}</span>;
  if (!isThing(dimension)) return <span>{label}</span>;
  return (
    <Anchor component={Link} to={`${PAGES[dimension]}/${row[`${dimension}_id`]}`} size="sm">
      {label}
    </Anchor>
  );
}
