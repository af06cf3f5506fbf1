import {
  decisionLifecycle,
  type DecisionStatus,
  taskLifecycle,
  type TaskStatus,
} from '../../../domain/lifecycle/task.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('tasks.status', () => {
  const legal: [TaskStatus, 'decide' | 'void', TaskStatus][] = [
    ['open', 'decide', 'decided'],
    ['open', 'void', 'void'],
  ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(taskLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const illegal = illegalMoves(taskLifecycle);
    const pairs = taskLifecycle.statuses.length * Object.keys(taskLifecycle.moves).length;
    expect(illegal).toHaveLength(pairs - legal.length);
    for (const [from, action] of illegal) {
      expect(() => transition(taskLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});

describe('task_decisions.status', () => {
  const legal: [DecisionStatus, 'apply' | 'refuse', DecisionStatus][] = [
    ['PENDING', 'apply', 'APPLIED'],
    ['PENDING', 'refuse', 'REFUSED'],
  ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(decisionLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const illegal = illegalMoves(decisionLifecycle);
    const pairs = decisionLifecycle.statuses.length * Object.keys(decisionLifecycle.moves).length;
    expect(illegal).toHaveLength(pairs - legal.length);
    for (const [from, action] of illegal) {
      expect(() => transition(decisionLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});
