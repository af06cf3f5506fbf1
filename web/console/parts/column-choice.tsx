import { useState } from 'react';
import { report as words } from '../texts/report.ts';
import { AskedPopover } from './asked-popover.tsx';
import type { Metric } from './report-cells.ts';
import { NO_FIGURES } from './report-search.ts';
import classes from './column-choice.module.css';
import { useTexts } from './texts.ts';

interface ColumnsProps {
  /** In the order of their columns. */
  metrics: readonly Metric[];
  shown: readonly Metric[];
  /** `figures` as the address has them. */
  onChoose: (figures: string) => void;
}

/** Those that an address names, in the order of their columns; what nobody knows is as if it were not said. */
export function chosenMetrics(
  metrics: readonly Metric[],
  usual: readonly Metric[],
  figures: string | undefined,
): readonly Metric[] {
  const named = figures?.split(',') ?? [];
  const known = metrics.filter((metric) => named.includes(metric));
  return known.length > 0 || figures === NO_FIGURES ? known : usual;
}

/** Which figures have a column. */
export function ColumnChoice(props: ColumnsProps) {
  const t = useTexts(words);
  return (
    <AskedPopover
      button={
        <>
          {t.columns}
          <span className="opens" aria-hidden />
        </>
      }
      label={t.columns}
      width={220}
      align="start"
    >
      {() => <Columns {...props} />}
    </AskedPopover>
  );
}

function Columns({ metrics, shown: given, onChoose }: ColumnsProps) {
  const t = useTexts(words);
  // The address follows a moment later, and the next press may not wait for it.
  const [shown, setShown] = useState(given);
  const toggle = (metric: Metric): void => {
    const next = metrics.filter((each) => shown.includes(each) !== (each === metric));
    setShown(next);
    onChoose(next.length === 0 ? NO_FIGURES : next.join(','));
  };
  return (
    <fieldset className={classes['columns']}>
      <legend className="visually-hidden">{t.columns}</legend>
      {metrics.map((metric) => (
        <label key={metric}>
          <input type="checkbox" checked={shown.includes(metric)} onChange={() => toggle(metric)} />
          {t.metrics[metric]}
        </label>
      ))}
    </fieldset>
  );
}
