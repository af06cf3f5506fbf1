import type { ReactNode } from 'react';
import { Facts } from '../../../../parts/facts.tsx';
import { Count } from '../../../../parts/money.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useSaid } from '../../../../parts/said.ts';
import { Section } from '../../../../parts/section.tsx';
import { State } from '../../../../parts/state.tsx';
import { useNoteWords } from '../../../../parts/subject-timeline.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { numberFormat } from '../../../../parts/formats.ts';
import { operation } from '../../../../texts/operation.ts';
import { type GivenReason, useReasonWords } from '../-shown/reason-words.ts';

type Name = keyof (typeof operation)['en']['outcome'];
type Drawn = (value: never) => ReactNode;

/** How it ended: the fields of a result or an error that say something to operators, each in words. */
export function Outcome({ title, value }: { title: string; value: unknown }) {
  const t = useTexts(operation);
  const { language } = usePreferences();
  const said = useSaid();
  const noteAs = useNoteWords();
  const reasonsAs = useReasonWords();
  const state = (word: string) => <State state={word.toUpperCase()} />;
  const length = (made: readonly unknown[]) => (made.length === 0 ? null : made.length);
  // What is not named here is no news to them: an address of the owner's own file, a number that stands above.
  const drawn: Record<Name, Drawn> = {
    error: (token: string) => wordOf(t.errors, token),
    reasons: (reasons: readonly GivenReason[]) => reasonsAs(reasons),
    reason: noteAs,
    outcome: noteAs,
    note: said,
    status: state,
    kyc_status: state,
    verify_status: state,
    method: noteAs,
    rows: (count: number) => <Count value={count} />,
    bytes: (count: number) => t.bytes(numberFormat(language).format(count)),
    format: (word: string) => word.toUpperCase(),
    expires_at: (at: string) => <When at={at} />,
    events: (count: number) => <Count value={count} />,
    batches: (count: number) => <Count value={count} />,
    provider: (name: string) => (name === 'embedded' ? t.builtIn : name),
    notice: said,
    media_ids: length,
    variants: length,
  };
  const found = (value ?? {}) as Partial<Record<Name, never>>;
  const rows = (Object.keys(drawn) as Name[]).flatMap((name): [string, ReactNode][] => {
    const each = found[name];
    const shown = each === undefined || each === null ? null : drawn[name](each);
    return shown === null ? [] : [[t.outcome[name], shown]];
  });
  if (rows.length === 0) return null;
  return (
    <Section title={title}>
      <Facts rows={rows} />
    </Section>
  );
}
