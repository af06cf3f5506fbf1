import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { ApiError } from '../../../../../../client/client.ts';
import { useWrite } from '../../../../../api.ts';
import { blockersOf } from '../../../../../may/operator.ts';
import { refused } from '../../../../../parts/toast.ts';
import { claim, one, release, type TaskPage } from '../../../../../queries/operator/task.ts';

const RENEW_MS_MIN = 5_000;

/** Opening a task tells others that one works on it; leaving it undecided gives it back. */
export function useHold(task: TaskPage, myId: number, may: boolean): void {
  const queries = useQueryClient();
  const { mutateAsync: take } = useWrite(claim);
  const { mutate: give } = useWrite(release);
  const { id } = task;
  const mine = task.lease !== null && task.lease.operator_id === myId;
  const until = mine ? task.lease?.until : undefined;
  const held = useRef(false);
  held.current = mine && task.status === 'open';

  const hold = useCallback(async () => {
    try {
      queries.setQueryData(one(id).queryKey, await take({ path: { id } }));
    } catch (error) {
      // Somebody was faster: the page says who.
      if (error instanceof ApiError && error.status === 409) {
        await queries.invalidateQueries({ queryKey: one(id).queryKey });
      } else refused(error as Error);
    }
  }, [id, queries, take]);

  // What forbids an approval may have been mended since: a claim looks at it anew.
  const isStale = useRef(blockersOf('approve', task.findings).length > 0);
  // A lease lives at the platform: taken when the page opens, renewed at half its time.
  useEffect(() => {
    if (!may) return undefined;
    if (until === undefined || isStale.current) {
      isStale.current = false;
      void hold();
      return undefined;
    }
    const half = (Date.parse(until) - Date.now()) / 2;
    const timer = setTimeout(() => void hold(), Math.max(half, RENEW_MS_MIN));
    return () => clearTimeout(timer);
  }, [may, until, hold]);

  // Given back when the page is left; a lost answer lets it run out by itself.
  useEffect(
    () => () => {
      if (held.current) give({ path: { id } });
    },
    [id, give],
  );
}
