import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { readPreferences } from '../../db/queries/saved-views.ts';
import { LANGUAGES, THEMES } from '../../domain/person.ts';
import { readTimezone } from '../../domain/report.ts';
import type { ConsoleDeps } from '../deps.ts';
import { type Identity, personOf } from '../http/auth.ts';
import { text } from '../http/fields.ts';
import { route } from '../http/route.ts';
import { preferencesShape, presentPreferences } from '../present/saved-view.ts';

const ZONE_LENGTH_MAX = 64;

/** Also of whoever registers: their first letter is in the language they read. */
export const preferencesBody = yup.object({
  language: yup.string().oneOf(LANGUAGES),
  time_zone: text(ZONE_LENGTH_MAX)
    .test('time_zone', 'must be a time zone of the IANA database', (value) =>
      value === undefined ? true : readTimezone(value) !== undefined,
    )
    .meta({ kind: 'word' }),
  theme: yup.string().oneOf(THEMES),
});

export const preferencesOf = (given: yup.InferType<typeof preferencesBody>) => ({
  language: given.language,
  timeZone: given.time_zone,
  theme: given.theme,
});

const about = { rule: 'interface 5.10', roles: 'everyone', answer: preferencesShape } as const;

/** `/preferences` of every realm: one's own, whatever one's role. */
export function preferenceRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const read = async (caller: Identity) =>
    presentPreferences(await readPreferences(runner(deps.db), personOf(caller)));

  router.get(
    '/',
    route(
      { ...about, summary: 'Show how you like your console' },
      async ({ caller }) => await read(caller),
    ),
  );

  router.put(
    '/',
    route(
      {
        ...about,
        summary: 'Say how you like your console; what is left out stays',
        body: preferencesBody,
        current: async ({ caller }) => await read(caller),
      },
      async ({ body: given, caller }) => {
        await deps.activities.putPreferences(personOf(caller), preferencesOf(given));
        return await read(caller);
      },
    ),
  );

  return router;
}
