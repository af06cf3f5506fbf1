import { useQuery } from '@tanstack/react-query';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useMarks, useTexts, wordOf } from '../../../../parts/texts.ts';
import { reasonsFor, type TaskKind } from '../../../../queries/operator/task.ts';
import { reviewed } from '../../../../texts/reviewed.ts';

export interface GivenReason {
  code: string;
  note?: string | null | undefined;
}

/** A reason of a no as the catalogue calls it, with what was written beside it; of a kind of task, or of any. */
export function useReasonWord(kind?: TaskKind, isNeeded = true): (reason: GivenReason) => string {
  const { codes } = useTexts(reviewed);
  const { language } = usePreferences();
  const { open, close } = useMarks();
  const { data } = useQuery({ ...reasonsFor(kind), enabled: isNeeded });
  return ({ code, note }) => {
    const title =
      data?.items.find((each) => each.code === code)?.title[language] ?? wordOf(codes, code);
    return typeof note === 'string' && note !== '' ? `${title}${open}${note}${close}` : title;
  };
}

/** All that were given, in one line. */
export function useReasonWords(
  kind?: TaskKind,
  isNeeded = true,
): (reasons: readonly GivenReason[]) => string {
  const wordFor = useReasonWord(kind, isNeeded);
  const { comma } = useMarks();
  return (reasons) => reasons.map(wordFor).join(comma);
}
