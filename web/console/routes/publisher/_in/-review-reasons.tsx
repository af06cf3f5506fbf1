import type { ReviewReason } from '../../../../client/routes.ts';
import { Reasons } from '../../../parts/reasons.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { placementReasons } from '../../../texts/placement-reasons.ts';

/** Why reviewers sent something back, in their words. */
export function ReviewReasons({ reasons }: { reasons: readonly ReviewReason[] }) {
  const t = useTexts(placementReasons);
  return (
    <Reasons
      title={t.review}
      tone="red"
      reasons={reasons.map(({ code, field, note }) => ({
        key: `${code} ${field ?? ''}`,
        text: [sentence(code), note, field === undefined ? undefined : t.field(field)]
          .filter((part) => part !== undefined)
          .join(' '),
      }))}
    />
  );
}

/** A name that has no words here yet: `LOW_QUALITY` is said as `Low quality.` */
const sentence = (code: string): string => {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
};
