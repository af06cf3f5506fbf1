import { common } from '../texts/common.ts';
import { Choice } from './choice.tsx';
import type { Column } from './list-page.tsx';
import { useTexts } from './texts.ts';

/** A list's order where no heads are there to press: on a phone, and where rows are cards for everybody. */
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
    <Choice
      label={t.sortedBy}
      unset={t.newestFirst}
      options={orders}
      value={by ?? null}
      onChange={(value) => onSort(value ?? undefined)}
    />
  );
}
