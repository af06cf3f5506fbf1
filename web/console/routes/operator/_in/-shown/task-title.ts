import type { HeadedTask } from '../../../../../../domain/task-heading.ts';
import { formatMoney } from '../../../../parts/money.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { formatDay } from '../../../../parts/time.tsx';
import type { TaskRow } from '../../../../queries/operator/task.ts';
import { methods } from '../../../../texts/methods.ts';
import { removalReasons } from '../../../../texts/removal-reasons.ts';
import { taskTitles } from '../../../../texts/task-title.ts';

/** A task in the reader's language; one that builds before had opened is called as it was then. */
export function useTaskTitle(): (
  task: Pick<TaskRow, 'kind' | 'subject' | 'summary' | 'heading'>,
) => string {
  const { language } = usePreferences();
  const { title } = useTexts(taskTitles);
  const ways = useTexts(methods);
  const reasons = useTexts(removalReasons);
  const words = {
    money: (amount: number) => formatMoney(amount, language),
    method: (code: string) => wordOf(ways, code),
    reason: (code: string) => `“${wordOf(reasons, code)}”`,
    day: (day: string) => formatDay(day, language),
  };
  return ({ kind, subject, summary, heading }) =>
    heading === null
      ? summary
      : title({ kind, subject, heading: heading as HeadedTask['heading'] }, words);
}
