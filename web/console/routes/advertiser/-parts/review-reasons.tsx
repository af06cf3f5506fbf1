import type { ReviewReason } from '../../../../client/routes.ts';
import { Reasons } from '../../../parts/reasons.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';

/** What a reviewer found: the code in words, what it is about, and the reviewer's own words. */
export function ReviewReasons({ reasons }: { reasons: readonly ReviewReason[] }) {
  const t = useTexts(inventory);
  return (
    <Reasons
      tone="red"
      title={t.reviewReasons}
      reasons={reasons.map(({ code, field, note }, index) => ({
        key: `${code} ${field ?? ''} ${index}`,
        text: [
          wordsOf(code),
          note ?? undefined,
          field === undefined || field === null ? undefined : t.field(field),
        ]
          .filter((part) => part !== undefined && part !== '')
          .join(' · '),
      }))}
    />
  );
}

/** `LANDING_HOST_NEW` → `Landing host new`. */
function wordsOf(code: string): string {
  const words = code.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
