import { useQuery } from '@tanstack/react-query';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { reasonsFor, type TaskKind } from '../../../../queries/operator/task.ts';
import { reviewed } from '../../../../texts/reviewed.ts';

interface Given {
  code: string;
  note?: string | null | undefined;
}

/** Reasons of a no as the catalogue calls them, each with what was written beside it; of a kind of task, or of any. */
export function useReasonWords(
  kind?: TaskKind,
  isNeeded = true,
): (reasons: readonly Given[]) => string {
  const { codes } = useTexts(reviewed);
  const { language } = usePreferences();
  const { data } = useQuery({ ...reasonsFor(kind), enabled: isNeeded });
  const titleOf = (code: string): string =>
    data?.items.find((each) => each.code === code)?.title[language] ?? wordOf(codes, code);
  return (reasons) =>
    reasons
      .map(({ code, note }) =>
        typeof note === 'string' && note !== '' ? `${titleOf(code)} (${note})` : titleOf(code),
      )
      .join(', ');
}
