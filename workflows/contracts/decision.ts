/**
 * Every human decision of every flow reaches its workflow by this Update. It carries ids only: the
 * authenticated decision is a row (task_decisions) that the flow loads, so an Update sent by hand
 * cannot forge a reviewer. updateId = `decision:{decisionId}`, so a repeat is the same Update.
 */
export const DECIDE_UPDATE = 'decide';

export interface DecideInput {
  taskId: number;
  decisionId: number;
}

export const decisionUpdateId = (decisionId: number): string => `decision:${decisionId}`;

/** Failure types that a flow raises; activities map DomainError tokens to them one to one. */
export const ALREADY_DECIDED = 'AlreadyDecided';
