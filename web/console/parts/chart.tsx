import { lazy, Suspense } from 'react';
import { Loading } from './loading.tsx';

export interface Series {
  name: string;
  values: readonly (number | null)[];
  /** Another period, drawn behind it. */
  isComparison?: boolean;
}

export interface ChartProps {
  /** Says what is drawn; the table beside it says the same in figures. */
  label: string;
  /** One per value: days, hours, names. */
  at: readonly string[];
  series: readonly Series[];
  kind?: 'line' | 'bar';
  format?: (value: number) => string;
}

const Drawn = lazy(async () => ({ default: (await import('./chart-drawn.tsx')).ChartDrawn }));

/** Loaded when one is shown: the library is the largest part of the console. */
export const Chart = (props: ChartProps) => (
  <Suspense fallback={<Loading height={260} />}>
    <Drawn {...props} />
  </Suspense>
);
