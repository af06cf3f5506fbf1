import { chart } from '../../domain/ledger/chart.ts';
import { sqlName, type Table } from '../schema/table.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { type ListOrder, orderedRows } from './figure-order.ts';
import { totalOf } from './page-total.ts';
import type { Sorts } from './sorting.ts';

/**
 * How an advertiser's lists are read. Archived rows are gone for their owner, unless a list asks for
 * them; reports still name them.
 */
export interface InventoryFilter {
  advertiserId: number;
  id?: number | undefined;
  /** LIKE pattern over the name. */
  pattern?: string | undefined;
  status?: string | undefined;
  auditStatus?: string | undefined;
  /** Days of creation, both ends included, UTC. */
  startDate?: string | undefined;
  endDate?: string | undefined;
  /** Further columns of the table that must equal a value; names come from code only. */
  equals?: Readonly<Record<string, string | number | undefined>> | undefined;
}

export interface Slice {
  limit: number;
  offset: number;
}

/** One kind as its screen shows it: its table, and what is selected of a row `t` and what it joins. */
export interface InventoryScreen<Row> {
  table: Table;
  selection: { list: string; read(raw: Readonly<Record<string, unknown>>): Row };
  joins: string;
  sorts: Sorts;
}

/** `sort` is one of the screen's orders. */
interface Reading extends ListOrder {
  filter: InventoryFilter;
  slice: Slice;
  /** Today in the platform time zone: budgets are counted by it. */
  day: string;
}

export async function listInventory<Row>(
  sql: SqlRunner,
  screen: InventoryScreen<Row>,
  reading: Reading,
): Promise<{ rows: Row[]; total: number }> {
  const { filter, slice } = reading;
  const { text, values } = conditionOf(screen.table, filter);
  const rows = await readPage(sql, screen, reading);
  const total = await totalOf(
    sql,
    { ...slice, rows: rows.length },
    { text: `SELECT count(*) AS total FROM ${screen.table.name} t WHERE ${text}`, values },
  );
  return { rows, total };
}

/** One record, or undefined when it is unknown, archived or another owner's. */
export async function findInventory<Row>(
  sql: SqlRunner,
  screen: InventoryScreen<Row>,
  { id, advertiserId, day }: { id: number; advertiserId: number; day: string },
): Promise<Row | undefined> {
  const filter = { id, advertiserId };
  const [row] = await readPage(sql, screen, { filter, slice: { limit: 1, offset: 0 }, day });
  return row;
}

/** The page is cut first; facts are gathered for its rows only. */
async function readPage<Row>(
  sql: SqlRunner,
  { table, selection, joins, sorts }: InventoryScreen<Row>,
  { filter, slice, day, ...by }: Reading,
): Promise<Row[]> {
  const { text, values } = conditionOf(table, filter);
  const at = values.length;
  values.push(slice.limit, slice.offset, day, chart.advertiserAvailable(filter.advertiserId));
  const { from, order } = orderedRows({ table: table.name, alias: 't', sorts }, by, values);
  const { rows } = await sql.query(
    `WITH page AS (
       SELECT t.* FROM ${from} WHERE ${text}
       ORDER BY ${order} LIMIT $${at + 1} OFFSET $${at + 2}),
     reading AS (SELECT $${at + 3}::date AS day, $${at + 4}::text AS available_code)
     SELECT ${selection.list} FROM page t CROSS JOIN reading ${joins} ORDER BY ${order}`,
    values,
  );
  return rows.map((row) => selection.read(row));
}

function conditionOf(table: Table, filter: InventoryFilter): { text: string; values: unknown[] } {
  const values: unknown[] = [filter.advertiserId];
  const parts = ['t.advertiser_id = $1'];
  if (filter.status === undefined) parts.push(`t.status <> 'ARCHIVED'`);
  const add = (sql: (at: string) => string, value: unknown): void => {
    if (value === undefined) return;
    values.push(value);
    parts.push(sql(`$${values.length}`));
  };
  add((at) => `t.id = ${at}`, filter.id);
  add((at) => `t.name ILIKE ${at}`, filter.pattern);
  add((at) => `t.status = ${at}`, filter.status);
  add((at) => `t.audit_status = ${at}`, filter.auditStatus);
  add((at) => `t.created_at >= ${at}::date::timestamp AT TIME ZONE 'UTC'`, filter.startDate);
  add((at) => `t.created_at < (${at}::date + 1)::timestamp AT TIME ZONE 'UTC'`, filter.endDate);
  for (const [property, value] of Object.entries(filter.equals ?? {})) {
    add((at) => `t.${sqlName(table, property)} = ${at}`, value);
  }
  return { text: parts.join(' AND '), values };
}
