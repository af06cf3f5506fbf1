import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { OwnRejectionReasons } from '../../client/routes.ts';
import { read } from '../api.ts';
import { reviewed } from '../texts/reviewed.ts';
import type { Owner } from './identity.ts';
import { usePreferences } from './preferences.tsx';
import { Reasons } from './reasons.tsx';
import { useTexts } from './texts.ts';

interface Given {
  code: string;
  field?: string | null;
  note?: string | null;
}

/** Said once a session: the catalogue changes with the platform. */
const KEPT_MS = 3_600_000;

/** Why something was sent back: the platform's words for its owner, and what the reviewer wrote. */
export function ReviewReasons({
  realm,
  subject,
  reasons,
  fields = {},
  mend,
}: {
  realm: Owner;
  /** As the catalogue names it, such as `site`. */
  subject: string;
  reasons: readonly Given[];
  /** Words of fields that a reason may name. */
  fields?: Readonly<Record<string, string>>;
  /** The button that leads to where it is mended. */
  mend?: ReactNode;
}) {
  const t = useTexts(reviewed);
  const { language } = usePreferences();
  const { data } = useQuery({
    ...read(`GET /api/${realm}/review-reasons`),
    enabled: reasons.length > 0,
    staleTime: KEPT_MS,
  });
  return (
    <Reasons
      title={t.title}
      tone="red"
      mend={mend}
      reasons={reasons.map(({ code, field, note }, index) => {
        const known = wordsOf(data, subject, code);
        return {
          key: `${code} ${index}`,
          text: [
            typeof field === 'string' ? t.field(fields[field] ?? field) : null,
            t.sentence(known === undefined ? nameOf(t.codes, code) : known.title[language]),
            note,
            known?.text[language],
            known?.kind === 'FINAL' ? t.final : null,
          ]
            .filter((part) => typeof part === 'string' && part !== '')
            .join(' ')
            // Chinese signs bring their own room along.
            .replaceAll(/(?<=[。：]) /g, ''),
        };
      })}
    />
  );
}

type Known = OwnRejectionReasons['items'][number];

/** The subject's own words, or another's of the same name. */
function wordsOf(
  catalogue: OwnRejectionReasons | undefined,
  subject: string,
  code: string,
): Known | undefined {
  const named = catalogue?.items.filter((each) => each.code === code) ?? [];
  return named.find((each) => each.subject_type === subject) ?? named[0];
}

/** A name that has no words: `LOW_QUALITY` is said as `Low quality` */
const nameOf = (known: Readonly<Record<string, string>>, code: string): string => {
  if (Object.hasOwn(known, code)) return known[code] ?? '';
  const words = code.toLowerCase().replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};
