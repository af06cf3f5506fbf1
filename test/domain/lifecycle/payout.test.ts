import {
  ACTION_OF_LOOK,
  actionOfAnswer,
  canBeLookedUp,
  type PayoutAction,
  type PayoutAnswer,
  type PayoutFound,
  payoutLifecycle,
  type PayoutState,
} from '../../../domain/lifecycle/payout.ts';
import { statusesBefore, transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

const STATES = payoutLifecycle.statuses;
const FINAL: readonly PayoutState[] = ['SETTLED', 'REJECTED'];

const legal: [PayoutState, PayoutAction, PayoutState][] = [
  ['READY', 'send', 'SENDING'],
  ['READY', 'give_up', 'REJECTED'],
  ['SENDING', 'requeue', 'READY'],
  ['SENDING', 'accept', 'ACCEPTED'],
  ['SENDING', 'lose_track', 'UNKNOWN'],
  ['SENDING', 'post', 'SETTLED'],
  ['SENDING', 'void', 'REJECTED'],
  ['FILE', 'post', 'SETTLED'],
  ['FILE', 'void', 'REJECTED'],
  ['ACCEPTED', 'accept', 'ACCEPTED'],
  ['ACCEPTED', 'lose_track', 'UNKNOWN'],
  ['ACCEPTED', 'post', 'SETTLED'],
  ['ACCEPTED', 'void', 'REJECTED'],
  ['UNKNOWN', 'accept', 'ACCEPTED'],
  ['UNKNOWN', 'lose_track', 'UNKNOWN'],
  ['UNKNOWN', 'post', 'SETTLED'],
  ['UNKNOWN', 'void', 'REJECTED'],
];

describe('payouts.state', () => {
  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(payoutLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const illegal = illegalMoves(payoutLifecycle);
    const pairs = STATES.length * Object.keys(payoutLifecycle.moves).length;
    expect(illegal).toHaveLength(pairs - legal.length);
    for (const [from, action] of illegal) {
      expect(() => transition(payoutLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });

  // The moves that would pay twice, or give back what was paid.
  test.each<[PayoutState, PayoutAction, string]>([
    ['UNKNOWN', 'requeue', 'it may have been paid: never READY again'],
    ['UNKNOWN', 'send', 'the same, at once'],
    ['UNKNOWN', 'give_up', 'no try is known to have failed'],
    ['ACCEPTED', 'requeue', 'the provider has it'],
    ['FILE', 'send', 'a bank is paid by its file alone'],
    ['FILE', 'lose_track', 'an operator carries it, so one knows'],
    ['SENDING', 'send', 'a second sender'],
    ['SENDING', 'give_up', 'a person says so, of what lies still'],
    ['READY', 'post', 'nothing was sent'],
    ['READY', 'void', 'somebody may send it any moment'],
    ['SETTLED', 'post', 'the money left once'],
    ['SETTLED', 'void', 'the hold is gone'],
    ['SETTLED', 'lose_track', 'it is known'],
    ['REJECTED', 'post', 'the hold went back already'],
    ['REJECTED', 'send', 'the same'],
  ])('%s · %s · is refused: %s', (from, action) => {
    expect(illegalMoves(payoutLifecycle)).toContainEqual([from, action]);
  });

  test('SETTLED and REJECTED · every action · lead nowhere', () => {
    const actions = Object.keys(payoutLifecycle.moves) as PayoutAction[];
    const left = actions.filter((action) =>
      statusesBefore(payoutLifecycle, action).some((from) => FINAL.includes(from)),
    );
    expect(left).toEqual([]);
  });

  test('READY · from where · is reached only while the call is under way', () => {
    const before = legal.filter(([, , to]) => to === 'READY').map(([from]) => from);
    expect(before).toEqual(['SENDING']);
    expect(payoutLifecycle.begins).toEqual(['READY', 'FILE']);
  });
});

describe('an answer to the sending', () => {
  const ANSWERS: readonly PayoutAnswer[] = [
    'SETTLED',
    'ACCEPTED',
    'REJECTED',
    'NOT_SENT',
    'UNKNOWN',
  ];
  const counts: [PayoutState, PayoutAnswer, PayoutState][] = [
    ['SENDING', 'SETTLED', 'SETTLED'],
    ['SENDING', 'ACCEPTED', 'ACCEPTED'],
    ['SENDING', 'REJECTED', 'REJECTED'],
    ['SENDING', 'NOT_SENT', 'READY'],
    ['SENDING', 'UNKNOWN', 'UNKNOWN'],
    // Late: the sender was given up before its answer came.
    ['UNKNOWN', 'SETTLED', 'SETTLED'],
    ['UNKNOWN', 'ACCEPTED', 'ACCEPTED'],
    ['UNKNOWN', 'REJECTED', 'REJECTED'],
    ['UNKNOWN', 'UNKNOWN', 'UNKNOWN'],
  ];

  test.each(counts)('%s · %s · leads to %s', (state, answer, to) => {
    const action = actionOfAnswer(state, answer);
    expect(action).not.toBeNull();
    expect(action !== null && transition(payoutLifecycle, state, action)).toBe(to);
  });

  test('every other pair · of state and answer · does nothing', () => {
    const others = STATES.flatMap((state) =>
      ANSWERS.map((answer) => [state, answer] as const),
    ).filter(([state, answer]) => !counts.some(([a, b]) => a === state && b === answer));
    expect(others).toHaveLength(STATES.length * ANSWERS.length - counts.length);
    for (const [state, answer] of others) {
      expect(actionOfAnswer(state, answer)).toBeNull();
    }
  });
});

describe('a look at the provider', () => {
  test('only ACCEPTED and UNKNOWN · of all states · are looked for', () => {
    expect(STATES.filter(canBeLookedUp)).toEqual(['ACCEPTED', 'UNKNOWN']);
  });

  test.each<[PayoutState, PayoutFound, PayoutState]>([
    ['ACCEPTED', 'SETTLED', 'SETTLED'],
    ['ACCEPTED', 'PENDING', 'ACCEPTED'],
    ['ACCEPTED', 'FAILED', 'REJECTED'],
    ['ACCEPTED', 'NOT_FOUND', 'ACCEPTED'],
    ['UNKNOWN', 'SETTLED', 'SETTLED'],
    ['UNKNOWN', 'PENDING', 'ACCEPTED'],
    ['UNKNOWN', 'FAILED', 'REJECTED'],
    ['UNKNOWN', 'NOT_FOUND', 'UNKNOWN'],
  ])('%s · %s · is %s', (state, found, after) => {
    const action = ACTION_OF_LOOK[found];
    expect(action === null ? state : transition(payoutLifecycle, state, action)).toBe(after);
  });
});
