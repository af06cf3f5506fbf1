import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import type { SavedView } from '../../client/routes.ts';
import { read, write } from '../api.ts';
import type { Realm } from '../session.ts';

/** Saved views have the same routes in every realm. */
export const viewsOf = (realm: Realm) => {
  const stale = [`GET /api/${realm}/saved-views`] as const;
  return {
    list: (page: string) =>
      ({
        ...read(`GET /api/${realm}/saved-views`, { query: { page } }),
        staleTime: KEPT_MS,
      }) as unknown as UseQueryOptions<{ items: SavedView[] }> & { queryKey: QueryKey },
    add: write(`POST /api/${realm}/saved-views`, stale),
    save: write(`PUT /api/${realm}/saved-views/{id}`, stale),
    remove: write(`DELETE /api/${realm}/saved-views/{id}`, stale),
  };
};

/** Seldom changed by anybody else: what one's other tab or a colleague has saved may wait. */
const KEPT_MS = 300_000;

export type Search = Readonly<Record<string, unknown>>;

/** A view begins at its first page, and is of no one export. */
export const kept = (search: Search): Search =>
  Object.fromEntries(
    Object.entries(search).filter(
      ([name, value]) =>
        !['page', 'cursor', 'export', 'file', 'schedules'].includes(name) && value !== undefined,
    ),
  );

/** The search that a view keeps; nothing of a state that is not ours. */
export const searchOf = ({ state }: Pick<SavedView, 'state'>): Search => {
  const search = (state as { search?: unknown }).search;
  return typeof search === 'object' && search !== null ? kept(search as Search) : {};
};

/** Alike whatever the order of their names; a number is what it is written as. */
export const isSame = (one: Search, other: Search): boolean => textOf(one) === textOf(other);

const textOf = (search: Search): string =>
  JSON.stringify(
    Object.entries(kept(search))
      .map(([name, value]) => [name, String(value)])
      .toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
  );
