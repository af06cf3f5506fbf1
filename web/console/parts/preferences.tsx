import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

/**
 * How somebody wants to read, as this browser shows it. Whoever is logged in has it from the API
 * (account-preferences.tsx), so that it is the same in every browser, and in their letters.
 */
export interface Preferences {
  language: Language;
  /** IANA name; times say which zone they are in. */
  timeZone: string;
}

export type Language = 'en' | 'zh';

interface Chosen extends Preferences {
  choose: (change: Partial<Preferences>) => void;
}

const KEY = 'adp-preferences';
const Context = createContext<Chosen | null>(null);

export function PreferencesProvider({ children }: { children: ReactNode }) {
  const [preferences, set] = useState(stored);
  const value = useMemo(
    () => ({
      ...preferences,
      choose: (change: Partial<Preferences>) => {
        const next = { ...preferences, ...change };
        localStorage.setItem(KEY, JSON.stringify(next));
        document.documentElement.lang = next.language;
        set(next);
      },
    }),
    [preferences],
  );
  return <Context value={value}>{children}</Context>;
}

export function usePreferences(): Chosen {
  const chosen = useContext(Context);
  if (chosen === null) throw new Error('no preferences around this part');
  return chosen;
}

function stored(): Preferences {
  const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>;
  const language = kept.language ?? (navigator.language.startsWith('zh') ? 'zh' : 'en');
  document.documentElement.lang = language;
  return {
    language,
    timeZone: kept.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
