import { useQuery } from '@tanstack/react-query';
import type { OwnRejectionReason, ReviewReason } from '../../../../client/routes.ts';
import { type Language, usePreferences } from '../../../parts/preferences.tsx';
import { Reasons } from '../../../parts/reasons.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { reviewReasons } from '../../../queries/advertiser/history.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';

type Subject = OwnRejectionReason['subject_type'];

/** What a reviewer found: the code in the platform's words, what to do, and the reviewer's own. */
export function ReviewReasons(props: { of: Subject; reasons: readonly ReviewReason[] }) {
  const { of, reasons } = props;
  const t = useTexts(inventory);
  const { language } = usePreferences();
  const { data } = useQuery({ ...reviewReasons, enabled: reasons.length > 0 });
  return (
    <Reasons
      tone="red"
      title={t.reviewReasons}
      reasons={reasons.map(({ code, field, note }, index) => ({
        key: `${code} ${field ?? ''} ${index}`,
        text: [
          wordsOf(data?.items ?? [], { of, code, language }),
          note === undefined || note === '' ? undefined : `“${note}”`,
          field === undefined ? undefined : t.field(field),
        ]
          .filter((part) => part !== undefined)
          .join(' · '),
      }))}
    />
  );
}

function wordsOf(
  known: readonly OwnRejectionReason[],
  { of, code, language }: { of: Subject; code: string; language: Language },
): string {
  const reason = known.find((each) => each.code === code && each.subject_type === of);
  if (reason !== undefined) return `${reason.title[language]}: ${reason.text[language]}`;
  const words = code.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
