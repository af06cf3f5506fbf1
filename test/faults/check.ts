import type { SqlRunner } from '../../db/sql-runner.ts';
import type { Reported } from './traffic.ts';

/** Stored events of one bid and kind, or conversions of one click, and how many of them bill. */
export interface Stored {
  kind: string;
  /** The bid; of conversions the click. */
  subject: string;
  stored: string;
  billed: string;
}

export async function loadStored(sql: SqlRunner): Promise<Stored[]> {
  const { rows } = await sql.query<Stored>(
    `SELECT kind, bid_id AS subject, count(*) AS stored, count(*) FILTER (WHERE billable) AS billed
     FROM events WHERE bid_id IS NOT NULL AND kind <> 'conversion' GROUP BY kind, bid_id
     UNION ALL
     SELECT 'conversion', click_id, count(*), count(*) FILTER (WHERE status = 'BILLED')
     FROM conversions WHERE click_id IS NOT NULL GROUP BY click_id`,
  );
  return rows;
}

/**
 * Every answered event is stored exactly once; one that got no answer at most once; no bid bills
 * twice per kind. Answers the violations as sentences, none when all is well.
 */
export function findViolations(reports: readonly Reported[], stored: readonly Stored[]): string[] {
  const rows = new Map(stored.map((row) => [`${row.kind}:${row.subject}`, row]));
  const violations: string[] = [];
  for (const report of reports) {
    const count = Number(rows.get(`${report.kind}:${report.subject}`)?.stored ?? 0);
    if (report.answered && count === 0)
      violations.push(`lost: ${report.kind} of ${report.subject}`);
    if (count > 1) violations.push(`stored ${count} times: ${report.kind} of ${report.subject}`);
  }
  for (const row of stored) {
    if (Number(row.billed) > 1)
      violations.push(`billed ${row.billed} times: ${row.kind} of ${row.subject}`);
  }
  return violations;
}
