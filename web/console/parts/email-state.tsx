import { email } from '../texts/email.ts';
import { State } from './state.tsx';
import { useTexts } from './texts.ts';

/** Since when it is known that its person reads it. */
export function EmailState({ since }: { since: string | null }) {
  const t = useTexts(email);
  return since === null ? (
    <State state="PENDING" words={t.unconfirmed} />
  ) : (
    <State state="VERIFIED" words={t.confirmed} />
  );
}
