import type { MoneyTermStatus } from '../../domain/lifecycle/money-term.ts';
import type { MoneyTermKind, TaxTerm } from '../../domain/money-terms.ts';
import { flag, ref, text } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { moneyTerms } from '../tables/money-term.ts';
import { totalOf } from './page-total.ts';

/** Before anything was agreed is no moment that a day can name. */
const { effectiveFrom: _begin, ...SHOWN } = columnsOf(moneyTerms, 't');
const TERM = select({
  ...SHOWN,
  effectiveFrom: moneyTerms.columns.effectiveFrom
    .orNull()
    .of(`NULLIF(t.effective_from, '-infinity')`),
  inForce: flag().of(`t.status = 'APPROVED' AND t.effective_from <= now()
    AND (t.effective_until IS NULL OR t.effective_until > now())`),
  publisher: text().orNull().of('a.username'),
  approvalId: ref().orNull().of(`(SELECT max(p.id) FROM approvals p
    WHERE p.kind = 'money_term' AND p.subject = t.id::text)`),
  maker: text().orNull().of('m.username'),
  checker: text().orNull().of('c.username'),
});
export type ShownTerm = RowOf<typeof TERM>;
const FROM = `money_terms t LEFT JOIN accounts a ON a.id = t.publisher_id
  LEFT JOIN operators m ON m.id = t.maker_id LEFT JOIN operators c ON c.id = t.checker_id`;

export interface TermFilter {
  id?: number | undefined;
  kind?: MoneyTermKind | undefined;
  status?: MoneyTermStatus | undefined;
  publisherId?: number | undefined;
  country?: string | undefined;
  limit: number;
  offset: number;
}

const FILTER = `($1::bigint IS NULL OR t.id = $1) AND ($2::text IS NULL OR t.kind = $2)
  AND ($3::text IS NULL OR t.status = $3) AND ($4::bigint IS NULL OR t.publisher_id = $4)
  AND ($5::text IS NULL OR t.country = $5)`;

/** Those that begin latest first. */
export async function listTerms(
  sql: SqlRunner,
  { id, kind, status, publisherId, country, ...page }: TermFilter,
): Promise<{ items: ShownTerm[]; total: number }> {
  const bound = [id ?? null, kind ?? null, status ?? null, publisherId ?? null, country ?? null];
  const items = await readRows(
    sql,
    TERM,
    `SELECT ${TERM.list} FROM ${FROM} WHERE ${FILTER}
     ORDER BY t.effective_from DESC, t.id DESC LIMIT $6 OFFSET $7`,
    [...bound, page.limit, page.offset],
  );
  const total = await totalOf(
    sql,
    { ...page, rows: items.length },
    { text: `SELECT count(*) AS total FROM money_terms t WHERE ${FILTER}`, values: bound },
  );
  return { items, total };
}

/** The share that is in force of a publisher, and those that are agreed for later, in their order. */
export const listSharesOf = async (sql: SqlRunner, publisherId: number): Promise<ShownTerm[]> =>
  await readRows(
    sql,
    TERM,
    `SELECT ${TERM.list} FROM ${FROM}
     WHERE t.kind = 'SHARE' AND t.status = 'APPROVED' AND (t.effective_until IS NULL OR t.effective_until > now())
       AND (t.publisher_id = $1 OR t.publisher_id IS NULL)
     ORDER BY t.effective_from, t.id`,
    [publisherId],
  );

const TAX = select({
  ...columnsOf(moneyTerms, 't', ['id', 'ppm', 'country', 'entityType']),
  basis: text().of('t.basis'),
});

/**
 * What is withheld of a publisher at that moment: the term of their proved country and entity type, else of the
 * country, else of the entity type, else of all; undefined where none is agreed.
 */
export const readTaxTerm = async (
  sql: SqlRunner,
  publisherId: number,
  at: Date,
): Promise<TaxTerm | undefined> =>
  await readRow(
    sql,
    TAX,
    `SELECT ${TAX.list} FROM money_terms t
     LEFT JOIN LATERAL (SELECT country, entity_type FROM kyc_applications
       WHERE account_id = $1 AND status = 'APPROVED' ORDER BY round DESC LIMIT 1) k ON true
     WHERE t.kind = 'TAX' AND t.status = 'APPROVED' AND t.effective_from <= $2
       AND (t.effective_until IS NULL OR t.effective_until > $2)
       AND (t.country IS NULL OR t.country = k.country)
       AND (t.entity_type IS NULL OR t.entity_type = k.entity_type)
     ORDER BY t.country NULLS LAST, t.entity_type NULLS LAST LIMIT 1`,
    [publisherId, at],
  );
