import { conflict } from '../errors.ts';

/** `{ action: { from: to } }`: every legal move of one status, nothing else is legal. */
export type TransitionTable<Status extends string, Action extends string> = Readonly<
  Record<Action, Readonly<Partial<Record<Status, Status>>>>
>;

/** The status an action leads to. Raises state_conflict when the move is not in the table. */
export function transition<Status extends string, Action extends string>(
  table: TransitionTable<Status, Action>,
  from: Status,
  action: Action,
): Status {
  const to = table[action][from];
  if (to === undefined) {
    throw conflict(`Cannot ${action} while ${from}.`, { from, action });
  }
  return to;
}

/** The statuses an action is legal from: the WHERE of the conditional UPDATE. */
export function statusesBefore<Status extends string, Action extends string>(
  table: TransitionTable<Status, Action>,
  action: Action,
): Status[] {
  return Object.keys(table[action]) as Status[];
}
