import type { FlowFindingKind } from './flow-findings.ts';
import type { TaskKind } from './lifecycle/task.ts';
import type { OperatorRole } from './operator.ts';
import type { Language } from './notification-texts.ts';

/**
 * What operators are told of without asking (interface 5.9): a question that nobody answered by half of its
 * time, and by all of it; one that a colleague gave them; a flow that cannot be healed; an advertiser that leaves doubted conversions lie;
 * somebody who lost every second factor; a bank that has a file that was taken back, or paid what was given back.
 */
export const NOTICE_KINDS = [
  'task_late',
  'task_escalated',
  'task_given',
  'flow_astray',
  'conversions_late',
  'factor_lost',
  'old_file_at_bank',
  'paid_after_failed',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
export const NOTICE_SUBJECTS = [
  'task',
  'flow',
  'advertiser',
  'factor_recovery',
  'withdrawal',
] as const;

/** Ids and words only: no name, no sum. */
export interface NoticeParams {
  task_kind?: TaskKind;
  /** A workflow id, `decision:<id>` or `message:<id>`. */
  flow?: string;
  finding?: FlowFindingKind;
  /** Conversions that wait. */
  count?: number;
  /** A bank file: `PF-3`, or `WD-12` of an order's own. */
  file?: string;
}

/** An escalated task is the administrators' as well (domain/task-rules.ts). */
export const rolesToldOfTask = (
  kind: 'task_late' | 'task_escalated',
  decider: OperatorRole,
): OperatorRole[] => (kind === 'task_late' || decider === 'ADMIN' ? [decider] : [decider, 'ADMIN']);

const MONEY = /\b(?:deposit|suspense|withdrawal):/;

/** Finance knows what a flow of money should have done; what it is about stands in its id. */
export const rolesToldOfFlow = (subject: string, detail: string): OperatorRole[] =>
  MONEY.test(`${subject} ${detail}`) ? ['ADMIN', 'FINANCE'] : ['ADMIN'];

/** One line of plain words. */
export function noticeText(
  kind: NoticeKind,
  subjectId: number,
  params: NoticeParams,
  language: Language = 'en',
): string {
  return language === 'zh'
    ? inChinese(kind, subjectId, params)
    : inEnglish(kind, subjectId, params);
}

function inEnglish(kind: NoticeKind, subjectId: number, params: NoticeParams): string {
  switch (kind) {
    case 'task_given':
      return `Task ${subjectId} was given to you`;
    case 'task_late':
      return `Task ${subjectId} waits for a decision: half of its time is over`;
    case 'task_escalated':
      return `Task ${subjectId} was not decided in time: it waits at the head of the queue`;
    case 'flow_astray':
      return `Flow ${params.flow ?? ''} cannot be healed (${params.finding ?? ''}): somebody has to look`;
    case 'conversions_late':
      return `Advertiser ${subjectId} has left ${params.count ?? 0} conversions with findings undecided for half of their time`;
    case 'factor_lost':
      return `Request ${subjectId}: somebody says that every second factor is lost; be shown who it is`;
    case 'old_file_at_bank':
      return `The bank has file ${params.file ?? ''}, which was taken back: its payouts may be paid twice. Stop the newer one at the bank now`;
    case 'paid_after_failed':
      return `The bank paid withdrawal ${subjectId} after its money was given back: it has left twice. Ask the bank to call it back`;
  }
}

function inChinese(kind: NoticeKind, subjectId: number, params: NoticeParams): string {
  switch (kind) {
    case 'task_given':
      return `任务 ${subjectId} 已分配给您`;
    case 'task_late':
      return `任务 ${subjectId} 等待处理：时限已过一半`;
    case 'task_escalated':
      return `任务 ${subjectId} 未按时处理：已排到队首`;
    case 'flow_astray':
      return `流程 ${params.flow ?? ''} 无法自动修复（${params.finding ?? ''}）：需要人工查看`;
    case 'conversions_late':
      return `广告主 ${subjectId} 有 ${params.count ?? 0} 个存疑转化已超过一半时限仍未处理`;
    case 'factor_lost':
      return `申请 ${subjectId}：有人称遗失了全部第二验证因素，请当面核实其身份`;
    case 'old_file_at_bank':
      return `银行持有已收回的文件 ${params.file ?? ''}：其中的付款可能付两次。请立即致电银行停止较新的文件`;
    case 'paid_after_failed':
      return `提现 ${subjectId} 的资金已退回后银行仍付了款：资金付出两次。请要求银行追回`;
  }
}
