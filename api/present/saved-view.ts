import type * as yup from 'yup';
import type { SavedViewRow } from '../../db/tables/saved-view.ts';
import { LANGUAGES, type Preferences, THEMES } from '../../domain/person.ts';
import { flag, idOf, mapOf, oneOf, record, time, whole, words } from '../http/response-shapes.ts';

export const savedViewShape = record(
  {
    id: idOf(),
    page: words(),
    name: words(),
    state: mapOf(),
    is_default: flag(),
    version: whole().min(1),
    created_at: time(),
    updated_at: time(),
  },
  'SavedView',
);

export const presentSavedView = (row: SavedViewRow): yup.InferType<typeof savedViewShape> => ({
  id: row.id,
  page: row.page,
  name: row.name,
  state: row.state,
  is_default: row.isDefault,
  version: row.version,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

export const preferencesShape = record(
  { language: oneOf(LANGUAGES), time_zone: words(), theme: oneOf(THEMES) },
  'Preferences',
);

export const presentPreferences = (row: Preferences): yup.InferType<typeof preferencesShape> => ({
  language: row.language,
  time_zone: row.timeZone,
  theme: row.theme,
});
