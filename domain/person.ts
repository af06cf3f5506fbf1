/** Whose something is that belongs to nobody else: an account's owner, a member of it, an operator. */
export const PERSON_TYPES = ['ACCOUNT', 'MEMBER', 'OPERATOR'] as const;
export interface Person {
  personType: (typeof PERSON_TYPES)[number];
  personId: number;
}

/** interface 8. */
export const VIEWS_PER_PAGE = 50;
export const VIEWS_PER_PERSON = 500;
export const VIEW_BYTES_MAX = 4_096;

export const LANGUAGES = ['en', 'zh'] as const;
export const THEMES = ['light', 'dark', 'auto'] as const;

export interface Preferences {
  language: (typeof LANGUAGES)[number];
  /** Of the IANA database. */
  timeZone: string;
  theme: (typeof THEMES)[number];
}

/** With when they were last said; null: never, and these are the platform's. */
export type KeptPreferences = Preferences & { updatedAt: Date | null };

/** Of whoever has said nothing. */
export const DEFAULT_PREFERENCES: KeptPreferences = {
  language: 'en',
  timeZone: 'UTC',
  theme: 'auto',
  updatedAt: null,
};
