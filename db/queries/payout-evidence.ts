import { ref, text, time, whole } from '../schema/column.ts';
import { readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';

const EVIDENCE = select({
  id: ref().of('e.id'),
  name: text().orNull().of('e.name'),
  mime: text().of('e.mime'),
  bytes: whole().of('e.bytes'),
  /** The decision that it was shown for; `returned`: the bank sent it back; `file_not_taken`: it refused the file. */
  said: text().of('x.said'),
  operator: text().of('o.username'),
  at: time().of('x.at'),
});
export type PayoutEvidence = RowOf<typeof EVIDENCE>;

/** What operators showed for what they said of a withdrawal, the latest first; refused words are not among them. */
export const listPayoutEvidence = async (
  sql: SqlRunner,
  withdrawalId: number,
): Promise<PayoutEvidence[]> =>
  await readRows(
    sql,
    EVIDENCE,
    `SELECT ${EVIDENCE.list} FROM (
       SELECT d.evidence_id, d.decision AS said, d.operator_id, d.created_at AS at
       FROM tasks t JOIN task_decisions d ON d.task_id = t.id
       WHERE t.subject_type = 'withdrawal' AND t.subject_id = $1
         AND d.evidence_id IS NOT NULL AND d.status <> 'REFUSED'
       UNION ALL
       SELECT (a.ask ->> 'evidence_id')::bigint, 'returned', a.maker_id, a.created_at
       FROM approvals a WHERE a.kind = 'withdrawal_return' AND a.subject = $1::bigint::text
         AND a.ask ? 'evidence_id' AND a.state NOT IN ('REFUSED', 'VOID')
       UNION ALL
       SELECT (a.ask ->> 'evidence_id')::bigint, 'file_not_taken', a.maker_id, a.created_at
       FROM approvals a WHERE a.kind = 'payout_file_take_back' AND a.state NOT IN ('REFUSED', 'VOID')
         AND a.subject IN (SELECT COALESCE(f.external_ref, p.external_ref)
             FROM payouts p LEFT JOIN payout_files f ON f.id = p.file_id WHERE p.withdrawal_id = $1
           UNION ALL SELECT b.reference FROM payout_file_take_backs b WHERE $1 = ANY (b.withdrawal_ids))) x
     JOIN receipt_evidence e ON e.id = x.evidence_id JOIN operators o ON o.id = x.operator_id
     ORDER BY x.at DESC, e.id DESC`,
    [withdrawalId],
  );
