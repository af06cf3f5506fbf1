import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

/** Rows that are chosen in a list, and what those on screen are called. */
export function useChoice(queryKey: QueryKey) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const nameOf = (id: number): string => {
    const page = queries.getQueryData<{ items: { id: number; name: string }[] }>(queryKey);
    return page?.items.find((row) => row.id === id)?.name ?? `#${id}`;
  };
  return { chosen, nameOf, onChoose: setChosen };
}
