import type { Refusal } from '../../../../../may/operator.ts';
import { usePreferences } from '../../../../../parts/preferences.tsx';
import { useTexts, wordOf } from '../../../../../parts/texts.ts';
import { formatTime } from '../../../../../parts/time.tsx';
import { operator } from '../../../../../texts/operator.ts';
import { review } from '../../../../../texts/review.ts';

/** Why one may not decide, in words; null where one may. */
export function useRefusalWords(refusal: Refusal | null): string | null {
  const { why } = useTexts(review);
  const { roles } = useTexts(operator);
  const { language, timeZone } = usePreferences();
  if (refusal === null) return null;
  switch (refusal.why) {
    case 'role':
      return why.role(wordOf(roles, refusal.role));
    case 'lease':
      return why.lease(refusal.username, formatTime(refusal.until, language, timeZone));
    case 'four_eyes':
      return why.four_eyes;
    case 'ended':
      return why.ended;
  }
}
