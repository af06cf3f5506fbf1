import { useQuery } from '@tanstack/react-query';
import { usePreferences } from '../../../../../parts/preferences.tsx';
import { marksIn, useTexts } from '../../../../../parts/texts.ts';
import { relative } from '../../../../../parts/time.tsx';
import { methods } from '../../../../../queries/publisher/withdrawal.ts';
import { withdrawal } from '../../../../../texts/withdrawal.ts';

/** What is asked of an account, and how long this platform lets a new one wait. */
export function useAccountLead(): string {
  const t = useTexts(withdrawal);
  const { language } = usePreferences();
  const { data } = useQuery(methods);
  const seconds = data?.items.find((each) => each.payment_method === 'BANK')?.new_account_waits;
  if (seconds === undefined || seconds === 0) return t.addLead;
  const now = Date.now();
  const leaves = new Date(now + seconds * 1_000).toISOString();
  return `${t.addLead}${marksIn(language).gap}${t.accountWaits(relative(leaves, language, now))}`;
}
