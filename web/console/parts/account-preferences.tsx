import { useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Ask } from '../../client/client.ts';
import { api, queryClient, read } from '../api.ts';
import type { Realm } from '../session.ts';
import { usePreferences } from './preferences.tsx';
import { refused } from './toast.ts';

export type PreferencesChange = NonNullable<Ask<'PUT /api/admin/preferences'>['body']>;

/** As the API keeps them of whoever is logged in; only this page changes them while it is open. */
export const keptPreferences = (realm: Realm) => ({
  ...read(`GET /api/${realm}/preferences`),
  staleTime: Infinity,
});

/** Ends when they are kept; `AccountPreferences` shows them. */
export async function keepPreferences(realm: Realm, change: PreferencesChange): Promise<void> {
  const route = `PUT /api/${realm}/preferences` as const;
  const kept = await api(route).call(route, { body: change });
  queryClient.setQueryData(keptPreferences(realm).queryKey, kept);
}

/**
 * Shows what the API keeps, whatever this browser had before. Of whoever has never said anything it
 * keeps what this browser shows: their letters are in the language that they read.
 */
export function AccountPreferences({ realm }: { realm: Realm }) {
  const { data } = useQuery(keptPreferences(realm));
  const { language, timeZone, choose } = usePreferences();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // Where they are shown from is outside of this part: the browser's storage and the root of the page.
  useEffect(() => {
    if (data === undefined) return;
    if (data.updated_at === null) {
      keepPreferences(realm, { language, time_zone: timeZone, theme: colorScheme }).catch(refused);
    } else {
      choose({ language: data.language, timeZone: data.time_zone });
      if (data.theme !== colorScheme) setColorScheme(data.theme);
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once for each answer, and not when they are shown
  }, [data]);
  return null;
}
