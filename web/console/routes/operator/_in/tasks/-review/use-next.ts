import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { useWrite } from '../../../../../api.ts';
import { useTexts } from '../../../../../parts/texts.ts';
import { refused, told } from '../../../../../parts/toast.ts';
import {
  claimNext,
  one,
  release,
  type TaskKind,
  type TaskPage,
} from '../../../../../queries/operator/task.ts';
import { review } from '../../../../../texts/review.ts';

const EXCEPT_MAX = 100;

/** Put aside since this page was loaded; asked for again when nothing else waits. */
const skipped = new Set<number>();

export interface Next {
  /** Takes the next task before it is opened, so that it opens at once. */
  prepare: () => void;
  go: () => void;
  skip: () => void;
}

export function useNext(id: number, kind: TaskKind | undefined): Next {
  const t = useTexts(review);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { mutateAsync: take } = useWrite(claimNext);
  const { mutateAsync: give } = useWrite(release);
  const prepared = useRef<Promise<TaskPage | null> | null>(null);
  const isGoing = useRef(false);

  const prepare = useCallback((): Promise<TaskPage | null> => {
    prepared.current ??= take({
      body: {
        except: [id, ...[...skipped].filter((each) => each !== id)].slice(0, EXCEPT_MAX),
        ...(kind === undefined ? {} : { kinds: [kind] }),
      },
    }).then((next) => {
      if (next !== null) queries.setQueryData(one(next.id).queryKey, next);
      return next;
    });
    return prepared.current;
  }, [id, kind, queries, take]);

  const go = useCallback(async (): Promise<void> => {
    isGoing.current = true;
    try {
      const next = await prepare();
      const search = kind === undefined ? {} : { kind };
      if (next === null) {
        skipped.clear();
        told(t.nothingNext);
        await navigate({ to: '/operator', search });
      } else {
        const params = { id: String(next.id) };
        await navigate({ to: '/operator/tasks/$id', params, search });
      }
    } catch (error) {
      isGoing.current = false;
      prepared.current = null;
      refused(error as Error);
    }
  }, [prepare, kind, navigate, t]);

  // What was taken ahead and is not opened is given back.
  useEffect(
    () => () => {
      if (isGoing.current) return;
      void prepared.current?.then(async (next) => {
        if (next !== null) await give({ path: { id: next.id } });
      });
    },
    [give],
  );

  return {
    prepare: () => {
      prepare().catch(() => {
        // Asked again when it is needed, and said then.
        prepared.current = null;
      });
    },
    go: () => void go(),
    skip: () => {
      skipped.add(id);
      void go();
    },
  };
}
