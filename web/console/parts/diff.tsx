import { type ComponentProps, lazy, Suspense } from 'react';

export interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

/** Fields that differ, nothing of those that do not. */
export function changesBetween(before: object, after: object): Change[] {
  const one = before as Record<string, unknown>;
  const other = after as Record<string, unknown>;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]))
    .map((field) => ({ field, before: one[field], after: other[field] }));
}

/** A page that may show what has changed mostly does not: its words for every value come when it does. */
const DiffTable = lazy(async () => {
  const { DiffTable: shown } = await import('./diff-table.tsx');
  return { default: shown };
});

export const Diff = (props: ComponentProps<typeof DiffTable>) => (
  <Suspense>
    <DiffTable {...props} />
  </Suspense>
);
