import { useEffect, useState } from 'react';
import type { Chosen } from './reason-list.tsx';

/** What was written of a refusal before it was given up. */
export interface RejectDraft {
  chosen: Chosen;
  note: string;
}

interface Kept {
  chosen: [code: string, said: string][];
  note: string;
}

const prefixOf = (taskId: number): string => `reject ${taskId} `;

/** Gone with the tab: what is kept of an owner's matter on a machine is no more than is needed. */
function read(key: string): RejectDraft | null {
  try {
    const { chosen, note } = JSON.parse(sessionStorage.getItem(key) ?? '') as Kept;
    return { chosen: new Map(chosen), note };
  } catch {
    // None, or none of ours.
    return null;
  }
}

function write(key: string, { chosen, note }: RejectDraft): void {
  try {
    const kept: Kept = { chosen: [...chosen], note };
    sessionStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // Without room for it, it is written anew.
  }
}

/** It was decided, by whomever. */
export function forgetDrafts(taskId: number): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefixOf(taskId))) sessionStorage.removeItem(key);
  }
}

interface Draft {
  taskId: number;
  decision: string;
  /** Whose words they are: others may log in here. */
  operatorId: number;
  /** What stands beside the buttons. */
  note: string;
}

/** The form of one task and decision as it was left. */
export function useRejectDraft({ taskId, decision, operatorId, note }: Draft) {
  const key = `${prefixOf(taskId)}${decision} ${operatorId}`;
  const [draft, setDraft] = useState<RejectDraft>(() => {
    const kept = read(key);
    // What was noted beside the buttons since is newer than an empty note.
    return kept === null || kept.note === '' ? { chosen: kept?.chosen ?? new Map(), note } : kept;
  });
  // Whatever closes the form, even leaving the page, the words are there.
  useEffect(() => {
    if (draft.chosen.size > 0 || draft.note !== note) write(key, draft);
    else sessionStorage.removeItem(key);
  }, [key, draft, note]);
  return [draft, setDraft] as const;
}
