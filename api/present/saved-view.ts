import type * as yup from 'yup';
import type { ShownView } from '../../db/queries/saved-views.ts';
import { type KeptPreferences, LANGUAGES, THEMES } from '../../domain/person.ts';
import {
  flag,
  idOf,
  mapOf,
  oneOf,
  record,
  time,
  timeOrNull,
  whole,
  words,
} from '../http/response-shapes.ts';

export const savedViewShape = record(
  {
    id: idOf(),
    page: words(),
    name: words(),
    state: mapOf(),
    is_default: flag(),
    is_shared: flag(),
    is_own: flag(),
    version: whole().min(1),
    created_at: time(),
    updated_at: time(),
  },
  'SavedView',
);

export const presentSavedView = (row: ShownView): yup.InferType<typeof savedViewShape> => ({
  id: row.id,
  page: row.page,
  name: row.name,
  state: row.state,
  // Of another's view it is theirs, and says nothing about the reader's page.
  is_default: row.isOwn && row.isDefault,
  is_shared: row.isShared,
  is_own: row.isOwn,
  version: row.version,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

export const preferencesShape = record(
  {
    language: oneOf(LANGUAGES),
    time_zone: words(),
    theme: oneOf(THEMES),
    updated_at: timeOrNull(),
  },
  'Preferences',
);

export const presentPreferences = (
  row: KeptPreferences,
): yup.InferType<typeof preferencesShape> => ({
  language: row.language,
  time_zone: row.timeZone,
  theme: row.theme,
  updated_at: row.updatedAt?.toISOString() ?? null,
});
