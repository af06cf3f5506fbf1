import { inTransaction, runner } from '../../db/postgres.ts';
import { columnsOf, readRow, select } from '../../db/schema/selection.ts';
import { flowFindings } from '../../db/tables/flow-finding.ts';
import { answerTo, type FindingAnswer, type FlowFindingKind } from '../../domain/flow-findings.ts';
import { rolesToldOfFlow } from '../../domain/operator-notices.ts';
import { tellOperators } from '../accounts/operator-notices.ts';
import type { ActivityDeps } from '../deps.ts';

export interface Found {
  kind: FlowFindingKind;
  /** Ids only. */
  subject: string;
  detail: string;
  /** Absent: only a person can. Harmless twice. */
  heal?: () => Promise<void>;
  /** It may settle by itself: nothing is done when it is first seen. */
  isPatient?: boolean;
}

const SEEN = select(columnsOf(flowFindings, 'f', ['id', 'heals', 'firstSeenAt', 'raisedAt']));

/** Writes a finding down and heals it, watches it or raises it; says which. */
export async function answerFinding(
  deps: ActivityDeps,
  lapStartedAt: Date,
  found: Found,
): Promise<FindingAnswer> {
  const sql = runner(deps.db);
  const { kind, subject, detail, heal, isPatient } = found;
  // What was healed within the last day and came again goes on counting.
  const row = await readRow(
    sql,
    SEEN,
    `INSERT INTO flow_findings AS f (kind, subject, detail, heals, first_seen_at, last_seen_at)
     VALUES ($1, $2, $3, (SELECT COALESCE(max(e.heals), 0) FROM flow_findings e
       WHERE e.kind = $1 AND e.subject = $2 AND e.last_seen_at > $4::timestamptz - interval '1 day'), $4, $4)
     ON CONFLICT (kind, subject) WHERE ended_at IS NULL
       DO UPDATE SET detail = EXCLUDED.detail, last_seen_at = EXCLUDED.last_seen_at
     RETURNING ${SEEN.list}`,
    [kind, subject, detail, lapStartedAt],
  );
  if (row === undefined) throw new Error('a finding was not written');
  const seenBefore = row.firstSeenAt < lapStartedAt;
  const answer = answerTo({ heals: row.heals, seenBefore, canHeal: heal !== undefined, isPatient });
  const line = { finding: kind, subject, detail, heals: row.heals };
  if (answer === 'heal') {
    // Counted before: a healing that fails for ever is raised as well.
    await sql.query('UPDATE flow_findings SET heals = heals + 1 WHERE id = $1', [row.id]);
    await heal?.();
    deps.log.warn(line, 'flow and row disagreed: healed');
  } else if (answer === 'raise' && row.raisedAt === null) {
    await raise(deps, { id: row.id, at: lapStartedAt, found });
    deps.log.error(line, 'flow and row disagree: an operator must look');
  }
  return answer;
}

/** Overdue tasks were told of when they fell due (activities/review/task-reminders.ts). */
async function raise(
  deps: ActivityDeps,
  { id, at, found: { kind, subject, detail } }: { id: number; at: Date; found: Found },
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await runner(deps.db, tx).query('UPDATE flow_findings SET raised_at = $2 WHERE id = $1', [
      id,
      at,
    ]);
    if (kind === 'TASK_OVERDUE') return;
    await tellOperators(deps, tx, {
      kind: 'flow_astray',
      roles: rolesToldOfFlow(subject, detail),
      subject: { type: 'flow', id },
      params: { flow: subject, finding: kind },
    });
  });
}

/** What this lap has not seen is no longer so. */
export async function endUnseen(deps: ActivityDeps, lapStartedAt: Date): Promise<void> {
  await runner(deps.db).query(
    `UPDATE flow_findings SET ended_at = now() WHERE ended_at IS NULL AND last_seen_at < $1`,
    [lapStartedAt],
  );
}
