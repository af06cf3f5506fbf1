import type { Transaction } from 'sequelize';
import { inTransaction, runner, violatedConstraint } from '../../db/postgres.ts';
import { readPreferences } from '../../db/queries/saved-views.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { conflict, DomainError, notFound } from '../../domain/errors.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import {
  type Person,
  type Preferences,
  VIEWS_PER_PAGE,
  VIEWS_PER_PERSON,
} from '../../domain/person.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';

interface ViewFields {
  name: string;
  state: Record<string, unknown>;
  isDefault: boolean;
  isShared: boolean;
}

/** What is undefined stays, or is as it is for whoever has said nothing. */
export type GivenPreferences = { [Field in keyof Preferences]?: Preferences[Field] | undefined };

type ViewKey = Person & { id: number; ifMatch: readonly number[] | undefined };

/** What a person keeps of the consoles (interface 5.10). It moves nothing, so no log has it. */
export function createSavedViewActivities({ db, clock }: Pick<ActivityDeps, 'db' | 'clock'>) {
  return {
    /** Raises already_claimed for a name of this page, state_conflict when there are too many. */
    addSavedView: async (view: Person & ViewFields & { page: string }): Promise<{ id: number }> =>
      await namedOnce(
        async () =>
          await runStep(db, 'saved_view.add', async (tx) => {
            const sql = runner(db, tx);
            await oneAtATime(sql, view);
            await expectRoom(sql, view);
            if (view.isDefault) await clearDefault(sql, view);
            const { id } = await db.models.savedViews.create(view, { transaction: tx });
            return { id };
          }),
      ),

    /** What is undefined stays. Raises not_found, already_claimed, precondition_failed. */
    updateSavedView: async (
      { personType, personId, id, ifMatch }: ViewKey,
      given: { [Field in keyof ViewFields]?: ViewFields[Field] | undefined },
    ): Promise<void> => {
      const fields = Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== undefined),
      ) as Partial<ViewFields>;
      await namedOnce(
        async () =>
          await inTransaction(db, async (tx) => {
            const sql = runner(db, tx);
            await oneAtATime(sql, { personType, personId });
            const view = await lockView({ db }, tx, { personType, personId, id });
            expectVersion(ifMatch, view.version);
            if (Object.keys(fields).length === 0) return;
            if (fields.isDefault === true && !view.isDefault) await clearDefault(sql, view);
            await view.update({ ...fields, version: view.version + 1 }, { transaction: tx });
          }),
      );
    },

    /** Raises not_found, precondition_failed. */
    deleteSavedView: async ({ ifMatch, ...key }: ViewKey): Promise<void> => {
      await inTransaction(db, async (tx) => {
        const view = await lockView({ db }, tx, key);
        expectVersion(ifMatch, view.version);
        await view.destroy({ transaction: tx });
      });
    },

    putPreferences: async (person: Person, given: GivenPreferences): Promise<void> => {
      await inTransaction(
        db,
        async (tx) => await keepPreferences({ db, clock }, tx, person, given),
      );
    },
  };
}

/** In the transaction of whatever makes the person, or of their own wish. */
export async function keepPreferences(
  { db, clock }: Pick<ActivityDeps, 'db' | 'clock'>,
  tx: Transaction,
  { personType, personId }: Person,
  given: GivenPreferences,
): Promise<void> {
  const sql = runner(db, tx);
  await oneAtATime(sql, { personType, personId });
  const { language, timeZone, theme } = await readPreferences(sql, { personType, personId });
  await db.models.preferences.upsert(
    {
      personType,
      personId,
      language: given.language ?? language,
      timeZone: given.timeZone ?? timeZone,
      theme: given.theme ?? theme,
      updatedAt: clock(),
    },
    { transaction: tx },
  );
}

/** Whoever was removed leaves nothing of the kind behind. */
export async function forgetPerson(
  sql: SqlRunner,
  { personType, personId }: Person,
): Promise<void> {
  const kept = ['saved_views', 'report_schedules', 'preferences', 'sessions', 'known_devices'];
  const proofs = ['factors', 'recovery_codes', 'factor_challenges', 'security_alerts'];
  for (const table of [...kept, ...proofs]) {
    await sql.query(
      `DELETE FROM ${table} WHERE person_type = $1 AND person_id = $2 RETURNING person_id`,
      [personType, personId],
    );
  }
}

async function namedOnce<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (violatedConstraint(error) !== 'saved_views_name') throw error;
    throw new DomainError('already_claimed', {
      message: 'Another view of this page has that name.',
      errors: [{ field: 'name', code: 'already_claimed', message: 'is taken' }],
    });
  }
}

/** Of one person: counting, and taking the default from another view, need the one before to be done. */
export async function oneAtATime(sql: SqlRunner, { personType, personId }: Person): Promise<void> {
  await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `person:${personType}:${personId}`,
  ]);
}

async function expectRoom(
  sql: SqlRunner,
  { personType, personId, page }: Person & { page: string },
): Promise<void> {
  const { rows } = await sql.query<{ all: string; here: string }>(
    `SELECT count(*) AS all, count(*) FILTER (WHERE page = $3) AS here
     FROM saved_views WHERE person_type = $1 AND person_id = $2`,
    [personType, personId, page],
  );
  const [counted] = rows;
  const full = (max: number, of: string) =>
    conflict(`At most ${max} views ${of} are kept.`, { max });
  if (Number(counted?.here) >= VIEWS_PER_PAGE) throw full(VIEWS_PER_PAGE, 'of a page');
  if (Number(counted?.all) >= VIEWS_PER_PERSON) throw full(VIEWS_PER_PERSON, 'of a person');
}

/** A page opens with one view. */
async function clearDefault(
  sql: SqlRunner,
  { personType, personId, page }: Person & { page: string },
): Promise<void> {
  await sql.query(
    `UPDATE saved_views SET is_default = false, version = version + 1, updated_at = now()
     WHERE person_type = $1 AND person_id = $2 AND page = $3 AND is_default RETURNING id`,
    [personType, personId, page],
  );
}

async function lockView(
  { db }: Pick<ActivityDeps, 'db'>,
  tx: Transaction,
  where: Person & { id: number },
) {
  const lock = { transaction: tx, lock: tx.LOCK.UPDATE };
  const view = await db.models.savedViews.findOne({ where: { ...where }, ...lock });
  if (view === null) throw notFound();
  return view;
}
