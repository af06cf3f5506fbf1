import Cursor from 'pg-cursor';
import type pg from 'pg';
import type { ReportQuery, ReportRow } from '../../domain/report.ts';
import type { Db } from '../postgres.ts';
import { type LineKeys, reportStatement } from './report-sql.ts';
import { asReportRow, type RawReportRow } from './reports.ts';

/** Lines held at a time, whoever reads slowly. */
const BATCH_ROWS = 1_000;

/**
 * A whole report, batch by batch, from one snapshot. A portal of the driver's protocol: the lines
 * stay in PostgreSQL until they are asked for, and no transaction is opened. Holds one connection of
 * the pool until it is read to its end or given up. `statementMs`: how long the first batch, which
 * has to group everything, may take. `after`: it begins behind the line of these keys.
 */
export async function* streamReport(
  db: Db,
  query: ReportQuery,
  { statementMs, after = null }: { statementMs: number; after?: LineKeys | null },
): AsyncGenerator<ReportRow[]> {
  const pool = db.sequelize.connectionManager;
  const client = (await pool.getConnection({ type: 'read' })) as pg.Client;
  try {
    await client.query(`SET statement_timeout = ${Math.floor(statementMs)}`);
    const { text, values } = reportStatement(query, null, after);
    const cursor = client.query(new Cursor<RawReportRow>(text, values));
    try {
      for (;;) {
        const rows = await cursor.read(BATCH_ROWS);
        if (rows.length > 0) yield rows.map((row) => asReportRow(row, query.groupBy));
        if (rows.length < BATCH_ROWS) return;
      }
    } finally {
      await cursor.close();
      // Back to what the pool opened the connection with.
      await client.query('RESET statement_timeout');
    }
  } finally {
    pool.releaseConnection(client);
  }
}
