import type { TestDatabase } from './database.ts';

/** What two persons would have agreed on, by the owner's hand: a setting that governs money takes another's word. */
export async function setByOwner(
  { pool }: Pick<TestDatabase, 'pool'>,
  key: string,
  value: unknown,
): Promise<void> {
  await pool.query(
    `INSERT INTO settings (key, value, version) VALUES ($1, $2, 1)
     ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, version = settings.version + 1`,
    [key, JSON.stringify(value)],
  );
}

/** As if a withdrawal had been approved a moment ago, and had cooled off. */
export async function approvedByOwner(
  { pool }: Pick<TestDatabase, 'pool'>,
  withdrawalId: number,
): Promise<void> {
  await pool.query(`INSERT INTO approvals (kind, subject) VALUES ('withdrawal', $1)`, [
    String(withdrawalId),
  ]);
  await pool.query(`UPDATE withdrawals SET status = 'APPROVED', not_before = now() WHERE id = $1`, [
    withdrawalId,
  ]);
}
