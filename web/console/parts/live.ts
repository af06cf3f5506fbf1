import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../../client/client.ts';
import { ApiError } from '../../client/client.ts';
import { api, type ReadName } from '../api.ts';

export type Operation = Answer<'GET /api/advertiser/operations/{id}'>;
export type OperationRoute =
  | 'GET /api/advertiser/operations/{id}'
  | 'GET /api/publisher/operations/{id}'
  | 'GET /api/admin/operations/{id}';

const WAIT_SECONDS = 20;
const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 30_000;
const ENDED = new Set(['succeeded', 'failed', 'cancelled']);

export const hasEnded = ({ status }: Pick<Operation, 'status'>): boolean => ENDED.has(status);

/**
 * An operation as it goes on: each question waits at the platform until something changed. Ends with
 * the operation, backs off while the platform is away, and gives up where it is not ours (401 to 404).
 * What it changes is read anew at each of its steps.
 */
export function useOperation(
  route: OperationRoute,
  id: number | undefined,
  stale: readonly ReadName[] = [],
): { operation: Operation | undefined; error: Error | null; seenAt: number } {
  const queries = useQueryClient();
  const key = [route, { path: { id } }];
  const query = useQuery({
    queryKey: key,
    enabled: id !== undefined,
    queryFn: async ({ signal }): Promise<Operation> => {
      const last = queries.getQueryData<Operation>(key);
      const { data } = await api(route).look(route, {
        path: { id: id ?? 0 },
        query: last === undefined ? {} : { wait: WAIT_SECONDS },
        ...(last === undefined ? {} : { headers: { 'If-None-Match': `"${last.version}"` } }),
        signal,
      });
      const now = data ?? last;
      if (now === undefined) throw new Error('no answer to compare with');
      // One that had ended at the first look has changed what was read before: it was faster than the page.
      const isNews = last === undefined ? hasEnded(now) : stepOf(now) !== stepOf(last);
      if (isNews) {
        await Promise.all(stale.map((name) => queries.invalidateQueries({ queryKey: [name] })));
      }
      return now;
    },
    refetchInterval: ({ state }) => {
      if (state.data !== undefined && hasEnded(state.data)) return false;
      if (isFinal(state.error)) return false;
      return Math.min(PAUSE_MS * 2 ** state.fetchFailureCount, PAUSE_MS_MAX);
    },
  });
  return { operation: query.data, error: query.error, seenAt: query.dataUpdatedAt };
}

const stepOf = ({ status, phase }: Operation): string => `${status} ${phase}`;

const isFinal = (error: Error | null): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
