import { NativeSelect } from '@mantine/core';
import { common } from '../texts/common.ts';
import classes from './list-page.module.css';
import type { Column } from './list-page.tsx';
import { useTexts } from './texts.ts';

/** A list's order on a phone, where cards have no heads to press. */
export function SortChoice<Row, T>({
  columns,
  texts,
  by,
  onSort,
}: {
  columns: readonly Column<Row, T>[];
  texts: T;
  by: string | undefined;
  onSort: (by: string | undefined) => void;
}) {
  const t = useTexts(common);
  const orders = columns.flatMap(({ sort, title, isNumber }) => {
    if (sort === undefined) return [];
    const up = { value: sort, label: `${title(texts)} ↑` };
    const down = { value: `-${sort}`, label: `${title(texts)} ↓` };
    return isNumber === true ? [down, up] : [up, down];
  });
  return (
    <NativeSelect
      className={classes['order'] ?? ''}
      label={t.sortedBy}
      data={[{ value: '', label: t.newestFirst }, ...orders]}
      value={by ?? ''}
      onChange={({ currentTarget: { value } }) => onSort(value === '' ? undefined : value)}
    />
  );
}
