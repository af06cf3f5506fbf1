import type { QueryClient } from '@tanstack/react-query';
import { read } from '../api.ts';
import type { Realm } from '../session.ts';
import { keptPreferences } from './account-preferences.tsx';
import { LATEST, notificationsOf } from './notifications.ts';

/**
 * What the frame of every page shows is asked for before the frame itself is there; once, and not again
 * with each page that is opened in it.
 */
export function beginFrame(queryClient: QueryClient, realm: Realm): void {
  const profile = read(`GET /api/${realm}/auth/profile`);
  const { list } = notificationsOf(realm);
  void queryClient.prefetchQuery({ ...profile, staleTime: Infinity });
  void queryClient.prefetchQuery({ ...list(LATEST), staleTime: Infinity });
  void queryClient.prefetchQuery(keptPreferences(realm));
}
