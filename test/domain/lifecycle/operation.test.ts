import {
  hasEnded,
  operationLifecycle,
  type OperationStatus,
} from '../../../domain/lifecycle/operation.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

type Action = keyof (typeof operationLifecycle)['moves'];

const UNENDED: OperationStatus[] = ['queued', 'running', 'waiting_human'];
const ENDS: [Action, OperationStatus][] = [
  ['run', 'running'],
  ['wait', 'waiting_human'],
  ['succeed', 'succeeded'],
  ['fail', 'failed'],
  ['cancel', 'cancelled'],
];
const legal = UNENDED.flatMap((from) =>
  ENDS.map(([action, to]): [OperationStatus, Action, OperationStatus] => [from, action, to]),
);

describe('operations.status', () => {
  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(operationLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused: what has ended stays so', () => {
    const illegal = illegalMoves(operationLifecycle);
    expect(illegal).toHaveLength(6 * 5 - legal.length);
    for (const [from, action] of illegal) {
      expect(hasEnded(from)).toBe(true);
      expect(() => transition(operationLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });

  test.each(UNENDED)('%s · has not ended', (status) => {
    expect(hasEnded(status)).toBe(false);
  });
});
