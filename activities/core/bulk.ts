import type { Transaction } from 'sequelize';
import type { Db } from '../../db/postgres.ts';
import { DomainError } from '../../domain/errors.ts';
import { runStep, type StepName } from './run-once.ts';

/** What became of one of many: done, or refused under the same rules as alone. */
export interface BulkOutcome {
  id: number;
  refusal: DomainError | null;
}

export interface BulkCommand {
  ids: readonly number[];
  /** `noun.verb`; each item is a step of its own under it. */
  step: StepName;
  /** Does everything and keeps nothing. */
  isRehearsal: boolean;
}

/** Ends a rehearsed transaction, which leaves nothing. */
class Rehearsed extends Error {}

/**
 * Does the same to several things, a transaction each, so that one refusal undoes no other. A keyed
 * request that is repeated after a crash goes on with what is left: each item is a step by its id.
 */
export async function forEachOf(
  db: Db,
  { ids, step, isRehearsal }: BulkCommand,
  act: (tx: Transaction, id: number) => Promise<void>,
): Promise<BulkOutcome[]> {
  const outcomes: BulkOutcome[] = [];
  for (const id of new Set(ids)) {
    const refusal = await refusalOf(async () => {
      await runStep(db, `${step}:${id}`, async (tx) => {
        await act(tx, id);
        if (isRehearsal) throw new Rehearsed();
      });
    });
    outcomes.push({ id, refusal });
  }
  return outcomes;
}

async function refusalOf(run: () => Promise<void>): Promise<DomainError | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof Rehearsed) return null;
    if (error instanceof DomainError) return error;
    throw error;
  }
}
