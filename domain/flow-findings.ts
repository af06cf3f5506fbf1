/**
 * Where rows and executions of flows do not agree (docs/durable-execution.md):
 * - NO_EXECUTION: a row waits for a flow, and no flow runs.
 * - NO_ROW: a flow runs, and no open row is its.
 * - DECISION_PENDING: an operator's decision has not taken effect.
 * - TASK_OVERDUE: nobody has decided in time.
 * - MESSAGE_LATE: a message to a flow cannot be delivered.
 */
export const FLOW_FINDINGS = [
  'NO_EXECUTION',
  'NO_ROW',
  'DECISION_PENDING',
  'TASK_OVERDUE',
  'MESSAGE_LATE',
] as const;
export type FlowFindingKind = (typeof FLOW_FINDINGS)[number];

/** What was healed so often within a day and came again is for a person to look at. */
export const HEALS_MAX = 3;
/** Rows and executions change a moment apart; what is younger is not looked at. */
export const SETTLED_AFTER_MS = 60_000;
/** An undelivered message, and a decision without effect, are late after this. */
export const LATE_AFTER_MS = 5 * 60_000;
/** Between two laps of the reconciler. */
export const RECONCILE_EVERY_MS = 5 * 60_000;

export interface Sighting {
  /** How often the same was healed within the last day. */
  heals: number;
  /** It was there in an earlier lap as well. */
  seenBefore: boolean;
  canHeal: boolean;
  /** It may settle by itself within a moment: nothing is done at its first sighting. */
  isPatient?: boolean | undefined;
}

export type FindingAnswer = 'heal' | 'watch' | 'raise';

/** What to do with a finding: heal it, leave it to the next lap, or raise it to an operator. */
export function answerTo(sighting: Sighting): FindingAnswer {
  const { heals, seenBefore, canHeal, isPatient = false } = sighting;
  if (isPatient && !seenBefore) return 'watch';
  if (canHeal && heals < HEALS_MAX) return 'heal';
  return canHeal || seenBefore ? 'raise' : 'watch';
}
