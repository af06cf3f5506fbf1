import { COUNTRIES } from '../../../domain/countries.ts';
import { type Language, usePreferences } from './preferences.tsx';

/** Every country by its name in the reader's language, in the order of these names. */
export function useCountryOptions(): { value: string; label: string }[] {
  const { language } = usePreferences();
  return [...COUNTRIES]
    .map((value) => ({ value, label: countryName(value, language) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, language));
}

/** What is no code of two letters is said as it is: `DisplayNames` would throw. */
export const countryName = (code: string, language: Language): string =>
  /^[A-Z]{2}$/.test(code)
    ? (new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code)
    : code;
