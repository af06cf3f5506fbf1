import { createCipheriv, randomBytes } from 'node:crypto';
import { type DataKey, placeOf, type SealedPlace } from '../../db/sealed-columns.ts';
import type { TestDatabase } from './database.ts';

/** Sealed texts in rows, by keys that a test has made. */
export const keyOf = (id: number): DataKey => ({ id, secret: Buffer.alloc(32, id) });

/** As builds sealed that bound the column alone. */
export function sealUnbound({ id, secret }: DataKey, text: string, column: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(Buffer.from(column));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
}

/** A publisher's cards, by their rows. */
export function cardsOf({ pool }: Pick<TestDatabase, 'pool'>, publisherId: number) {
  return {
    place: (row: number): SealedPlace => placeOf('bank_cards.sealed_info', publisherId, row),
    insert: async (row: number, sealed: string): Promise<void> => {
      await pool.query(
        `INSERT INTO bank_cards (id, publisher_id, sealed_info, last4, country, currency, usable_from, shown, fingerprint)
     VALUES ($1, $2, $3, '0000', 'DE', 'EUR', now(), '{}', $4)`,
        [row, publisherId, Buffer.from(sealed), `card ${row}`],
      );
    },
  };
}

export async function textsOf(
  { pool }: Pick<TestDatabase, 'pool'>,
  table: string,
  column: string,
): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ id: string; sealed: Buffer | string }>(
    `SELECT id, ${column} AS sealed FROM ${table}`,
  );
  return Object.fromEntries(rows.map(({ id, sealed }) => [id, sealed.toString()]));
}
