import { QueryTypes, type Transaction } from 'sequelize';
import { type Db, inTransaction } from '../../db/postgres.ts';

/**
 * Runs a step once. The key (`deposit:12:confirm:3`, never an attempt or run id) and the step's
 * writes commit together; a repeated call answers the stored result without running `fn`.
 * A parallel call waits on the key's unique index until the first has committed.
 */
export async function withEffect<Result>(
  db: Db,
  key: string,
  fn: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(db, async (tx) => {
    const [fresh] = await db.sequelize.query<{ key: string }>(
      'INSERT INTO effects (key) VALUES ($1) ON CONFLICT (key) DO NOTHING RETURNING key',
      { transaction: tx, type: QueryTypes.SELECT, bind: [key] },
    );
    if (fresh === undefined) {
      const [stored] = await db.sequelize.query<{ result: { value: Result } }>(
        'SELECT result FROM effects WHERE key = $1',
        { transaction: tx, type: QueryTypes.SELECT, bind: [key] },
      );
      if (stored === undefined) throw new Error(`effect ${key} vanished`);
      return stored.result.value;
    }
    const value = await fn(tx);
    await db.sequelize.query('UPDATE effects SET result = $2 WHERE key = $1', {
      transaction: tx,
      bind: [key, JSON.stringify({ value: value ?? null })],
    });
    return value;
  });
}
