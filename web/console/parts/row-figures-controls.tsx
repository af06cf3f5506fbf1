import { report as words } from '../texts/report.ts';
import { Choice } from './choice.tsx';
import { ColumnChoice } from './column-choice.tsx';
import { Failed } from './failed.tsx';
import { usePreferences } from './preferences.tsx';
import classes from './row-figures.module.css';
import { type RowFigures, type ShownFigures, shownMetrics } from './row-figures.tsx';
import { FIGURE_RANGES, type FiguresSearch } from './row-figures-search.ts';
import { RowLink } from './row-link.tsx';
import { useTexts } from './texts.ts';
import { formatDay, When } from './time.tsx';

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
      <ColumnChoice
        metrics={of.metrics}
        shown={shownMetrics(of, search)}
        onChoose={(figures) => change({ figures })}
      />
    </>
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
  const { language } = usePreferences();
  const { report, error, again, timeZone } = figures;
  if (error !== null) return <Failed error={error} again={again} />;
  if (report === undefined) return null;
  const to = `${of.report}?by=${of.by}&range=${search.range ?? 'week'}&zone_name=${encodeURIComponent(timeZone)}`;
  const days = t.days(formatDay(report.start_date, language), formatDay(report.end_date, language));
  return (
    <p className={classes['note']} data-final={report.is_final}>
      {t.figuresAre} {days} · {report.timezone} · {report.is_final ? t.final : t.notFinal}{' '}
      {report.as_of !== null && (
        <>
          {t.asOf} <When at={report.as_of} />
          {t.stop}{' '}
        </>
      )}
      <RowLink to={to} underline="always">
        {t.whole}
      </RowLink>
    </p>
  );
}
