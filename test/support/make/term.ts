import type { TestDatabase } from '../database.ts';

interface PastTerm {
  kind: 'SHARE' | 'TAX';
  publisherId?: number;
  country?: string;
  entityType?: 'PERSONAL' | 'BUSINESS';
  ppm: number;
  from: Date;
  until?: Date;
}

/** A term that began before now, which nobody can agree on: past the guard that refuses it, as the tables' owner. */
export async function makePastTerm(
  { pool }: Pick<TestDatabase, 'pool'>,
  { kind, publisherId, country, entityType, ppm, from, until }: PastTerm,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('ALTER TABLE money_terms DISABLE TRIGGER money_terms_guard');
    await client.query(
      `INSERT INTO money_terms (kind, publisher_id, country, entity_type, ppm, basis, effective_from, effective_until, status)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'APPROVED')`,
      [
        kind,
        publisherId ?? null,
        country ?? null,
        entityType ?? null,
        ppm,
        kind === 'TAX' ? 'A law of the test' : null,
        from,
        until ?? null,
      ],
    );
    await client.query('ALTER TABLE money_terms ENABLE TRIGGER money_terms_guard');
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
