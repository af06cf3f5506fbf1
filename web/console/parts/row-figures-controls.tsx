import { useState } from 'react';
import { report as words } from '../texts/report.ts';
import { AskedPopover } from './asked-popover.tsx';
import { Choice } from './choice.tsx';
import { Failed } from './failed.tsx';
import type { Metric } from './report-cells.ts';
import classes from './row-figures.module.css';
import { type RowFigures, type ShownFigures, shownMetrics } from './row-figures.tsx';
import { FIGURE_RANGES, type FiguresSearch, NO_FIGURES } from './row-figures-search.ts';
import { RowLink } from './row-link.tsx';
import { useTexts } from './texts.ts';
import { When } from './time.tsx';

interface ControlsProps {
  of: RowFigures;
  search: FiguresSearch & { page?: number };
  timeZone: string;
  onChange: (change: Record<string, string | number | undefined>) => void;
}

/** Of which days, and which of them: beside the filters of the list. */
export function FiguresControls({ of, search, timeZone, onChange }: ControlsProps) {
  const t = useTexts(words);
  // From the first choice on the address means the same days elsewhere; the page stays.
  const change = (next: FiguresSearch): void =>
    onChange({ zone_name: timeZone, page: search.page, ...next });
  return (
    <>
      <Choice
        label={t.figuresOf}
        unset={t.ranges.week}
        options={FIGURE_RANGES.map((value) => ({ value, label: t.ranges[value] }))}
        value={search.range ?? null}
        onChange={(range) =>
          onChange({ zone_name: timeZone, page: search.page, range: range ?? undefined })
        }
      />
      <AskedPopover button={<>{t.columns} ▾</>} label={t.columns} width={220} align="start">
        {() => <Columns of={of} shown={shownMetrics(of, search)} onChange={change} />}
      </AskedPopover>
    </>
  );
}

function Columns(props: {
  of: RowFigures;
  shown: readonly Metric[];
  onChange: (next: FiguresSearch) => void;
}) {
  const { of, onChange } = props;
  const t = useTexts(words);
  // The address follows a moment later, and the next press may not wait for it.
  const [shown, setShown] = useState(props.shown);
  const toggle = (metric: Metric): void => {
    const next = of.metrics.filter((each) => shown.includes(each) !== (each === metric));
    setShown(next);
    onChange({ figures: next.length === 0 ? NO_FIGURES : next.join(',') });
  };
  return (
    <fieldset className={classes['columns']}>
      <legend className="visually-hidden">{t.columns}</legend>
      {of.metrics.map((metric) => (
        <label key={metric}>
          <input type="checkbox" checked={shown.includes(metric)} onChange={() => toggle(metric)} />
          {t.metrics[metric]}
        </label>
      ))}
    </fieldset>
  );
}

/** Below the list: which days these are, how far they are counted, and where more of it stands. */
export function FiguresNote<Row, T>({
  of,
  figures,
  search = {},
}: {
  of: RowFigures;
  figures: ShownFigures<Row, T>;
  search?: FiguresSearch;
}) {
  const t = useTexts(words);
  const { report, error, again, timeZone } = figures;
  if (error !== null) return <Failed error={error} again={again} />;
  if (report === undefined) return null;
  const to = `${of.report}?by=${of.by}&range=${search.range ?? 'week'}&zone_name=${encodeURIComponent(timeZone)}`;
  return (
    <p className={classes['note']} data-final={report.is_final}>
      {t.figures}: {t.days(report.start_date, report.end_date)} · {report.timezone} ·{' '}
      {report.is_final ? t.final : t.notFinal}{' '}
      {report.as_of !== null && (
        <>
          {t.asOf} <When at={report.as_of} />.{' '}
        </>
      )}
      <RowLink to={to} underline="always">
        {t.whole}
      </RowLink>
    </p>
  );
}
