import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { formatDay } from '../../../../parts/time.tsx';
import { revenueShare } from '../../../../queries/publisher/withdrawal.ts';
import { withdrawal } from '../../../../texts/withdrawal.ts';

/** What of each price is theirs, now and as agreed for later. */
export function Share() {
  const t = useTexts(withdrawal);
  const { language } = usePreferences();
  const { data } = useQuery(revenueShare);
  if (data === undefined) return null;
  const { percent, is_own: isOwn, next } = data;
  return (
    <Text size="sm">
      {(isOwn ? t.shareOwn : t.share)(String(percent))}
      {next !== null &&
        ` ${t.shareNext(String(next.percent), formatDay(next.from.slice(0, 10), language))}`}
    </Text>
  );
}
