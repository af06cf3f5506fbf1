import type { Lifecycle } from '../../domain/lifecycle/transition.ts';

/** Every pair of status and action that the lifecycle does not name: each must be refused. */
export function illegalMoves<Status extends string, Action extends string>({
  statuses,
  moves,
}: Lifecycle<Status, Action>): [Status, Action][] {
  const actions = Object.keys(moves) as Action[];
  return statuses.flatMap((from) =>
    actions
      .filter((action) => moves[action][from] === undefined)
      .map((action): [Status, Action] => [from, action]),
  );
}
