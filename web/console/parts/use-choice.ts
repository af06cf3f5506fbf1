import { hashKey, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type SetStateAction, useCallback, useState } from 'react';

type Chosen = ReadonlySet<number>;

const NONE: Chosen = new Set();

/**
 * Rows that are chosen in a list, and what they are called. Other filters, another order or another page
 * begin anew: nothing is done to rows that are not seen. `refusalOf` says why nothing can be done with a row.
 */
export function useChoice<Row extends { id: number }>(
  queryKey: QueryKey,
  titleOf: (row: Row) => string,
  refusalOf?: (row: Row) => string | null,
) {
  const queries = useQueryClient();
  const shown = hashKey(queryKey);
  const [kept, keep] = useState({ shown, ids: NONE });
  const onChoose = useCallback(
    (next: SetStateAction<Chosen>) =>
      keep((was) => {
        const before = was.shown === shown ? was.ids : NONE;
        return { shown, ids: typeof next === 'function' ? next(before) : next };
      }),
    [shown],
  );
  const nameOf = (id: number): string => {
    const page = queries.getQueryData<{ items: Row[] }>(queryKey);
    const row = page?.items.find((each) => each.id === id);
    return row === undefined ? `#${id}` : titleOf(row);
  };
  return { chosen: kept.shown === shown ? kept.ids : NONE, onChoose, nameOf, titleOf, refusalOf };
}

/** One more is chosen, or one less. */
export const toggled =
  (id: number) =>
  (was: Chosen): Chosen => {
    const next = new Set(was);
    if (!next.delete(id)) next.add(id);
    return next;
  };

/** Of rows that have a name. */
export const byName = ({ name }: { id: number; name: string }): string => name;
