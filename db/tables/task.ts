import { taskLifecycle } from '../../domain/lifecycle/task.ts';
import { id, json, ref, state, text, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';
import type { ReviewFinding } from './json.ts';

export const tasks = table('tasks', {
  id: id(),
  kind: word([
    'campaign_review',
    'adgroup_review',
    'ad_review',
    'creative_review',
    'site_review',
    'zone_review',
    'kyc_review',
    'deposit_review',
    'deposit_second_approval',
    'withdrawal_review',
    'withdrawal_second_approval',
    'payout_unknown',
    'suspense',
  ]),
  status: state(taskLifecycle).byDefault(),
  subjectType: text(),
  subjectId: ref(),
  accountId: ref().orNull(),
  summary: text(),
  findings: json<ReviewFinding[]>().byDefault(),
  decisions: json<string[]>(),
  payload: json<Record<string, unknown>>().byDefault(),
  requiredRole: word(['ADMIN', 'REVIEWER', 'FINANCE', 'SUPPORT']),
  makerId: ref().orNull(),
  assigneeId: ref().orNull(),
  workflowId: text(),
  dedupeKey: text(),
  decisionId: ref().orNull(),
  openedAt: time().byDefault(),
  dueAt: time().orNull(),
  decidedAt: time().orNull(),
});
export type TaskRow = Row<typeof tasks>;
