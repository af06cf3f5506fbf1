import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { sqlValue } from '../../db/schema/table.ts';
import { operatorNotices } from '../../db/tables/operator-notice.ts';
import type { OperatorRole } from '../../domain/operator.ts';
import type { NOTICE_SUBJECTS, NoticeKind, NoticeParams } from '../../domain/operator-notices.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { queueMail } from './mails.ts';

export interface NewNotice {
  kind: NoticeKind;
  roles: readonly OperatorRole[];
  subject: { type: (typeof NOTICE_SUBJECTS)[number]; id: number };
  params: NoticeParams;
  /** What may be told again is told once of each: a day. */
  once?: string;
}

/** Tells the operators of these roles, each of them once, in the transaction of what happened. */
export async function tellOperators(
  deps: ActivityDeps,
  tx: Transaction,
  { kind, roles, subject, params, once = '' }: NewNotice,
): Promise<void> {
  await runner(deps.db, tx).query(
    `INSERT INTO operator_notices (role, kind, subject_type, subject_id, params, dedupe_key)
     SELECT role, $2, $3, $4, $5, $3 || ':' || $4::bigint || ':' || $2 || ':' || role || $6
     FROM unnest($1::text[]) role ON CONFLICT (dedupe_key) DO NOTHING`,
    [
      roles,
      kind,
      subject.type,
      subject.id,
      sqlValue(operatorNotices, 'params', params),
      once === '' ? '' : `:${once}`,
    ],
  );
}

/** A letter that nobody needs a day later: the bell has it. */
const LETTER_LIVES_MS = 86_400_000;

/**
 * Tells one operator that a colleague gave them a task, in the transaction in which it was: by the bell, and by a
 * letter where their address is confirmed (interface 5.18) and they want it. While the last such notice of the task was not read,
 * giving it to and fro says nothing more.
 */
export async function tellAssignee(
  deps: ActivityDeps,
  tx: Transaction,
  { operatorId, taskId, params }: { operatorId: number; taskId: number; params: NoticeParams },
): Promise<void> {
  const { rows } = await runner(deps.db, tx).query(
    `INSERT INTO operator_notices (operator_id, kind, subject_type, subject_id, params, dedupe_key)
     SELECT $1, 'task_given', 'task', $2, $3, 'task:' || $2::bigint || ':task_given:' || gen_random_uuid()
     WHERE NOT EXISTS (SELECT FROM operator_notices n WHERE n.operator_id = $1 AND n.kind = 'task_given'
       AND n.subject_id = $2 AND NOT EXISTS (SELECT FROM operator_notice_reads r
         WHERE r.notice_id = n.id AND r.operator_id = $1))
     RETURNING 1`,
    [operatorId, taskId, sqlValue(operatorNotices, 'params', params)],
  );
  if (rows.length === 0) return;
  const reader = await deps.db.models.operators.findByPk(operatorId, { transaction: tx });
  if (reader === null || reader.emailConfirmedAt === null || !reader.taskLetters) return;
  const expiresAt = new Date(deps.clock().getTime() + LETTER_LIVES_MS);
  await queueMail(deps, tx, { kind: 'task_given', operatorId, detail: String(taskId), expiresAt });
}

export function createOperatorNoticeActivities(deps: ActivityDeps) {
  return {
    /** Those of the operator and their role that are named, or all up to one. Answers how many were unread. */
    async readOperatorNotices(command: {
      operator: { id: number; role: string };
      ids: readonly number[] | undefined;
      until: number | undefined;
    }): Promise<number> {
      const { operator, ids, until } = command;
      return await runStep(deps.db, 'operator_notice.read', async (tx) => {
        const { rows } = await runner(deps.db, tx).query(
          `INSERT INTO operator_notice_reads (operator_id, notice_id)
           SELECT o.id, n.id FROM operator_notices n JOIN operators o ON o.id = $1
           WHERE (n.role = $2 OR n.operator_id = $1) AND n.created_at >= o.created_at
             AND (n.id = ANY($3::bigint[]) OR n.id <= $4::bigint)
           ON CONFLICT DO NOTHING RETURNING 1`,
          [operator.id, operator.role, ids ?? [], until ?? 0],
        );
        return rows.length;
      });
    },
  };
}
