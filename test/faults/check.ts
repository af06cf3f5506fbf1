import type { SqlRunner } from '../../db/sql-runner.ts';
import type { Reported } from './traffic.ts';

/** Stored events of one bid and kind, and how many of them bill. */
export interface Stored {
  kind: string;
  bid_id: string;
  stored: string;
  billed: string;
}

export async function loadStored(sql: SqlRunner): Promise<Stored[]> {
  const { rows } = await sql.query<Stored>(
    `SELECT kind, bid_id, count(*) AS stored, count(*) FILTER (WHERE billable) AS billed
     FROM events WHERE bid_id IS NOT NULL GROUP BY kind, bid_id`,
  );
  return rows;
}

/**
 * Every answered event is stored exactly once; one that got no answer at most once; no bid bills
 * twice per kind. Answers the violations as sentences, none when all is well.
 */
export function findViolations(reports: readonly Reported[], stored: readonly Stored[]): string[] {
  const rows = new Map(stored.map((row) => [`${row.kind}:${row.bid_id}`, row]));
  const violations: string[] = [];
  for (const report of reports) {
    const count = Number(rows.get(`${report.kind}:${report.bidId}`)?.stored ?? 0);
    if (report.answered && count === 0) violations.push(`lost: ${report.kind} of ${report.bidId}`);
    if (count > 1) violations.push(`stored ${count} times: ${report.kind} of ${report.bidId}`);
  }
  for (const row of stored) {
    if (Number(row.billed) > 1)
      violations.push(`billed ${row.billed} times: ${row.kind} of ${row.bid_id}`);
  }
  return violations;
}
