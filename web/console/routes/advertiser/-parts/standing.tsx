import { useQuery } from '@tanstack/react-query';
import { read } from '../../../api.ts';
import { followed } from '../../../parts/followed-timeline.ts';
import { usePreferences } from '../../../parts/preferences.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { formatTime } from '../../../parts/time.tsx';
import type { Level } from '../../../queries/advertiser/inventory.ts';
import { delivery } from '../../../texts/advertiser/delivery.ts';

/** Of what waits for a person, in words: how many come before it, and when it is answered at the latest. */
export function Standing({ level, id }: { level: Level; id: number }) {
  const t = useTexts(delivery);
  const { language, timeZone } = usePreferences();
  const { data } = useQuery({
    ...read('GET /api/advertiser/timeline', { query: { subject_type: level, subject_id: id } }),
    // Its task is there a moment after what it is about.
    ...followed,
  });
  const now = data?.timeline.find(({ step, state }) => step === 'decision' && state === 'NOW');
  if (now?.ahead === undefined || now.ahead === null) return null;
  const by = now.due_at === null ? null : formatTime(now.due_at, language, timeZone);
  return <>{t.stands(now.ahead, by)}</>;
}
