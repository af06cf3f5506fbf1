import type { SqlRunner } from '../sql-runner.ts';

export interface BankCardRow {
  id: number;
  country: string;
  currency: string;
  isDefault: boolean;
  usableFrom: Date;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** What may be seen without opening the seal; empty for a card that was written by hand. */
  shown: {
    account_holder?: string;
    account_type?: 'PERSONAL' | 'BUSINESS';
    bank_name?: string | null;
    branch_name?: string | null;
    account?: string;
    swift_bic?: string | null;
  };
  last4: string;
}

/** A publisher's kept accounts, the default one first; there are at most 20. */
export async function listBankCards(
  sql: SqlRunner,
  key: { publisherId: number; id?: number },
): Promise<BankCardRow[]> {
  const { rows } = await sql.query<Omit<BankCardRow, 'id'> & { id: string }>(
    `SELECT id, country, currency, is_default AS "isDefault", usable_from AS "usableFrom", version,
       created_at AS "createdAt", updated_at AS "updatedAt", shown, last4
     FROM bank_cards WHERE publisher_id = $1 AND status = 'ACTIVE' AND ($2::bigint IS NULL OR id = $2)
     ORDER BY is_default DESC, id DESC LIMIT 100`,
    [key.publisherId, key.id ?? null],
  );
  return rows.map((row) => ({ ...row, id: Number(row.id) }));
}
