import { useCallback, useEffect, useRef, useState } from 'react';
import { useWrite } from '../../../../../api.ts';
import { useTexts, wordOf } from '../../../../../parts/texts.ts';
import { refused, told } from '../../../../../parts/toast.ts';
import { decide, type Decision, type TaskPage } from '../../../../../queries/operator/task.ts';
import { review } from '../../../../../texts/review.ts';
import { useTaskTitle } from '../../-shown/task-title.ts';
import { forgetDrafts } from './reject-draft.ts';

const UNDO_MS = 5_000;

export interface Pending {
  body: Decision;
  /** Sent then, unless it is taken back. */
  until: number;
}

export interface Deciding {
  pending: Pending | null;
  isSending: boolean;
  error: Error | null;
  start: (body: Decision) => void;
  undo: () => void;
  /** Before its time. */
  send: () => void;
}

/**
 * A decision waits a moment in which it can be taken back; then, or when the page is left, it is
 * sent. `onSent` leads on: at once, for money only when the platform has answered.
 */
export function useDecision(task: TaskPage, onSent: () => void): Deciding {
  const t = useTexts(review);
  const title = useTaskTitle()(task);
  const { mutateAsync, isPending } = useWrite(decide);
  const [pending, setPending] = useState<Pending | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const waiting = useRef<Pending | null>(null);
  const isHere = useRef(true);
  const isMoney = task.required_role === 'FINANCE';

  const set = (next: Pending | null): void => {
    waiting.current = next;
    if (isHere.current) setPending(next);
  };

  const send = useCallback(async (): Promise<void> => {
    const { current } = waiting;
    if (current === null) return;
    set(null);
    const asked = mutateAsync({ path: { id: task.id }, body: current.body });
    if (!isMoney && isHere.current) onSent();
    try {
      const { status, other_tasks: others } = await asked;
      forgetDrafts(task.id);
      // A flow that has yet to take it may still refuse it, and a first word is not the last one.
      if (status === 'open') told(t.notTakenYet(wordOf(t.decisions, current.body.decision), title));
      else {
        const second = others.some((each) => each.status === 'open') ? ` ${t.askedNext}` : '';
        told(`${wordOf(t.done, current.body.decision)} ${title}${second}`);
      }
      if (isMoney && isHere.current) onSent();
    } catch (raised) {
      if (isHere.current) setError(raised as Error);
      refused(new Error(t.wasRefused(title, (raised as Error).message)));
    }
  }, [mutateAsync, task.id, title, isMoney, onSent, t]);

  const latest = useRef(send);
  latest.current = send;

  // The moment ends by the clock, not by a press.
  useEffect(() => {
    if (pending === null) return undefined;
    const timer = setTimeout(() => void latest.current(), pending.until - Date.now());
    const onLeave = (event: BeforeUnloadEvent): void => {
      // Closing the tab sends it too; the browser asks, and meanwhile it arrives.
      void latest.current();
      event.preventDefault();
    };
    addEventListener('beforeunload', onLeave);
    return () => {
      clearTimeout(timer);
      removeEventListener('beforeunload', onLeave);
    };
  }, [pending]);

  // Nobody goes on with a refusal of what was decided, here or by somebody else.
  useEffect(() => {
    if (task.status !== 'open') forgetDrafts(task.id);
  }, [task.id, task.status]);

  // Leaving for another page sends what waits.
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
      void latest.current();
    };
  }, []);

  return {
    pending,
    isSending: isPending,
    error,
    start: (body) => {
      setError(null);
      set({ body, until: Date.now() + UNDO_MS });
    },
    undo: () => set(null),
    send: () => void send(),
  };
}
