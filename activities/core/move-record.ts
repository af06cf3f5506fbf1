import type { Transaction } from 'sequelize';
import { type Db, runner } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { type Move, moveRow, type StateOf } from '../../db/schema/move.ts';
import type { Row } from '../../db/schema/table.ts';
import { TABLES } from '../../db/tables/index.ts';

type Tables = typeof TABLES;
/** Tables whose rows are found by one number. */
type Numbered = {
  [Name in keyof Tables]: Row<Tables[Name]> extends { id: number } ? Name : never;
}[keyof Tables];

/**
 * Moves the status of a record that this transaction holds, and writes `set` with it; the record
 * follows. What else was changed of the record is still its caller's to save. Raises state_conflict.
 */
export async function moveRecord<Name extends Numbered, State extends StateOf<Tables[Name]>>(
  db: Db,
  tx: Transaction,
  table: Name,
  move: Omit<Move<Tables[Name], State>, 'where'> & { record: RecordOf<Name> },
): Promise<void> {
  const { record, ...rest } = move;
  const where = { id: record.get('id') } as Move<Tables[Name], State>['where'];
  const moved = await moveRow(runner(db, tx), TABLES[table], { ...rest, where });
  for (const name of [move.state, ...Object.keys(move.set ?? {})]) {
    record.set(name as never, moved[name as keyof typeof moved] as never, { raw: true });
    record.changed(name as never, false);
  }
}
