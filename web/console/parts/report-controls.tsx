import { MultiSelect, NativeSelect, Select, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { common } from '../texts/common.ts';
import { report } from '../texts/report.ts';
import { DayInput } from './day-input.tsx';
import { PhoneFold } from './phone-fold.tsx';
import { RANGES } from './report-range.ts';
import { daysOfSearch, type ReportSearch } from './report-search.ts';
import { useTexts } from './texts.ts';

export type Dimension = keyof (typeof report)['en']['dimensions'];

/** As many as the API takes. */
export const DIMENSIONS_MAX = 3;
const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];

/** Of the address, what is said elsewhere than in the controls that a phone folds. */
const APART = new Set(['range', 'metric', 'figures', 'sort', 'export', 'file']);

interface ControlsProps {
  search: ReportSearch;
  /** As far as this side may see them. */
  dimensions: readonly Dimension[];
  by: readonly Dimension[];
  timeZone: string;
  onChange: (change: ReportSearch) => void;
  /** Further filters, such as the one of a site. */
  children?: ReactNode;
  /** Why the days can be those of this time zone alone. */
  zoneRefusal?: string | undefined;
}

/** What is asked of a report; every choice lives in the address. */
export function ReportControls(props: ControlsProps) {
  const { search, dimensions, by, timeZone, onChange, children, zoneRefusal } = props;
  const t = useTexts(report);
  const c = useTexts(common);
  return (
    <PhoneFold
      first={<RangeControls {...{ search, timeZone, onChange }} />}
      isKept={Object.entries(search).some(
        ([name, value]) => value !== undefined && !APART.has(name),
      )}
    >
      <MultiSelect
        label={t.by}
        data={dimensions.map((value) => ({ value, label: t.dimensions[value] }))}
        value={[...by]}
        maxValues={DIMENSIONS_MAX}
        onChange={(next) => onChange({ by: next.length === 0 ? 'date' : next.join(',') })}
        clearButtonProps={{ 'aria-label': c.clear }}
        hidePickedOptions
        miw={200}
      />
      {children}
      <Select
        label={t.zone}
        data={TIME_ZONES}
        value={timeZone}
        onChange={(value) => onChange(value === null ? {} : { zone_name: value })}
        description={zoneRefusal}
        disabled={zoneRefusal !== undefined}
        allowDeselect={false}
        searchable
        limit={50}
        w={190}
      />
      <Switch
        label={t.compare}
        pb={8}
        checked={search.compare === 'yes'}
        onChange={(event) =>
          onChange({ compare: event.currentTarget.checked ? 'yes' : undefined } as ReportSearch)
        }
      />
    </PhoneFold>
  );
}

/** A change to other days begins with those that were shown. */
function RangeControls({
  search,
  timeZone,
  onChange,
}: Pick<ControlsProps, 'search' | 'timeZone' | 'onChange'>) {
  const t = useTexts(report);
  const { start_date: from, end_date: to } = daysOfSearch(search, timeZone);
  return (
    <>
      <NativeSelect
        label={t.range}
        value={search.range ?? 'week'}
        data={RANGES.map((value) => ({ value, label: t.ranges[value] }))}
        onChange={(event) => {
          const range = event.currentTarget.value as (typeof RANGES)[number];
          onChange(range === 'own' ? { range, from, to } : { range });
        }}
      />
      {search.range === 'own' && (
        <>
          <DayInput
            label={t.from}
            value={from}
            max={to}
            onChange={(day) => onChange({ from: day })}
          />
          <DayInput label={t.to} value={to} min={from} onChange={(day) => onChange({ to: day })} />
        </>
      )}
    </>
  );
}
