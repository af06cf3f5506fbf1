import type { Transaction } from 'sequelize';
import type { Db } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { invalid } from '../../domain/errors.ts';
import { missingSource } from '../../domain/creative/sources.ts';

type Held = Pick<RecordOf<'creatives'>, 'id' | 'latestRevision' | 'creativeType'>;

/** What its owner edits, and a reviewer looks at next. */
export async function latestRevision(
  db: Db,
  tx: Transaction,
  { id, latestRevision: revision }: Omit<Held, 'creativeType'>,
): Promise<RecordOf<'creativeRevisions'>> {
  const where = { creativeId: id, revision };
  const latest = await db.models.creativeRevisions.findOne({ where, transaction: tx });
  if (latest === null) throw new Error(`creative ${id} has no revision`);
  return latest;
}

/** Raises 422 for a draft that has nothing to be looked at (interface 2.5). */
export async function requireSource(db: Db, tx: Transaction, creative: Held): Promise<void> {
  const faults = missingSource(creative.creativeType, await latestRevision(db, tx, creative));
  if (faults.length > 0) throw invalid(...faults);
}
