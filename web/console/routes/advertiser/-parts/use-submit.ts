import { useTexts } from '../../../parts/texts.ts';
import { refusedAndKept, told } from '../../../parts/toast.ts';
import type { Level } from '../../../queries/advertiser/inventory.ts';
import { type NotSubmitted, submitWithDrafts } from '../../../queries/advertiser/submit-all.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';

type Named = Pick<NotSubmitted, 'id' | 'name'>;

/**
 * Submits one thing with the drafts below it, as every button that says so, and says what came of it.
 * Refused itself, it fails where it was asked; where only drafts below were, that button is gone by then.
 */
export function useSubmit(level: Level): (thing: Named) => Promise<void> {
  const t = useTexts(inventory);
  const called = useNotSubmitted();
  return async (thing) => {
    const rows = await submitWithDrafts(level, [thing]);
    if (rows.length === 0) {
      told(t.submitted);
      return;
    }
    const error = new Error(t.notSubmitted(rows.map(called)));
    if (rows.some((row) => row.level === level)) throw error;
    refusedAndKept(error);
  };
}

/** `Creative “Rope”: why`. */
export function useNotSubmitted(): (row: NotSubmitted) => string {
  const t = useTexts(inventory);
  return ({ level, name, reason }) => t.refusedRow(t.levels[level], name, reason);
}
