import { useQuery } from '@tanstack/react-query';
import { asSent, loadInChinese } from '../messages.ts';
import { usePreferences } from './preferences.tsx';

/** Says what the API says beside its refusals, which come in the reader's words already (api.ts). */
export function useSaid(): (message: string) => string {
  const isChinese = usePreferences().language === 'zh';
  const { data } = useQuery({
    queryKey: ['the API in Chinese'],
    // Held in an object: what is kept is compared by its parts.
    queryFn: async () => ({ said: await loadInChinese() }),
    enabled: isChinese,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return isChinese && data !== undefined ? data.said : asSent;
}
