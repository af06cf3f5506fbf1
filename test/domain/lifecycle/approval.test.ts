import {
  APPROVAL_STATES,
  approvalLifecycle,
  type ApprovalState,
} from '../../../domain/lifecycle/approval.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

test.each<[ApprovalState, 'approve' | 'refuse' | 'void', ApprovalState]>([
  ['PROPOSED', 'approve', 'APPROVED'],
  ['PROPOSED', 'refuse', 'REFUSED'],
  ['PROPOSED', 'void', 'VOID'],
  ['APPROVED', 'void', 'VOID'],
])('%s · %s · leads to %s', (from, action, to) => {
  expect(transition(approvalLifecycle, from, action)).toBe(to);
});

test.each(illegalMoves(approvalLifecycle))('%s · %s · is refused', (from, action) => {
  expect(() => transition(approvalLifecycle, from, action)).toThrow(
    `Cannot ${action} while ${from}.`,
  );
});

test('used up · is reached by the database alone', () => {
  expect(APPROVAL_STATES).toContain('APPLIED');
  const reached = Object.values(approvalLifecycle.moves).flatMap((each) => Object.values(each));
  expect(reached).not.toContain('APPLIED');
});
