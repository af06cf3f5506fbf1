import { conflict } from '../errors.ts';

/** `{ action: { from: to } }`: every legal move of one status, nothing else is legal. */
export type TransitionTable<Status extends string, Action extends string> = Readonly<
  Record<Action, Readonly<Partial<Record<Status, Status>>>>
>;

/** The law of one status column: its words, where a row may begin, and every legal move. */
export interface Lifecycle<Status extends string = string, Action extends string = string> {
  readonly statuses: readonly Status[];
  /** The first one is the column's default, where it has one. */
  readonly begins: readonly Status[];
  readonly moves: TransitionTable<Status, Action>;
}

/** The status an action leads to. Raises state_conflict when the move is not in the table. */
export function transition<Status extends string, Action extends string>(
  lifecycle: Pick<Lifecycle<Status, Action>, 'moves'>,
  from: Status,
  action: Action,
): Status {
  const to = lifecycle.moves[action][from];
  if (to === undefined) throw illegalMove(from, action);
  return to;
}

/** What every refused move answers, whoever found it illegal: the table or the UPDATE. */
export const illegalMove = (from: string, action: string): Error =>
  conflict(`Cannot ${action} while ${from}.`, { from, action });

/** The statuses an action is legal from. */
export function statusesBefore<Status extends string, Action extends string>(
  lifecycle: Pick<Lifecycle<Status, Action>, 'moves'>,
  action: Action,
): Status[] {
  return Object.keys(lifecycle.moves[action]) as Status[];
}
