import { email } from '../texts/email.ts';
import classes from './state.module.css';
import { useTexts } from './texts.ts';

/** Since when it is known that its person reads it. */
export function EmailState({ since }: { since: string | null }) {
  const t = useTexts(email);
  const tone = since === null ? 'waiting' : 'good';
  return (
    <span className={`${classes['state']} ${classes[tone]}`}>
      {since === null ? t.unconfirmed : t.confirmed}
    </span>
  );
}
