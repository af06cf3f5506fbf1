import { presentTimeline } from '../../../api/present/timeline.ts';
import type { TimelineFacts } from '../../../db/queries/timelines.ts';

const at = (second: number): Date => new Date(Date.UTC(2026, 10, 29, 12, 0, second));

const review = (
  round: number,
  status: 'OPEN' | 'VOID' | 'APPROVED',
  createdAt: Date,
  decidedAt: Date | null,
): TimelineFacts['reviews'][number] => ({
  round,
  status,
  createdAt,
  decidedAt,
  begunAt: createdAt,
  recalledBy: null,
});

const stepsOf = (reviews: TimelineFacts['reviews']): [string, string | null][] => {
  const facts = {
    tasks: [],
    proofs: [],
    deposit: undefined,
    withdrawal: undefined,
    refund: undefined,
    submittedAt: undefined,
  };
  const { timeline } = presentTimeline({ ...facts, reviews }, { now: at(59), forOperator: false });
  return timeline.map(({ step, note }) => [step, note]);
};

test('a round that was open when the next was handed in · ends before that begins, however late its flow says so', () => {
  const open = review(2, 'OPEN', at(10), null);
  const expected = [
    ['submitted', null],
    ['ended', 'VOID'],
    ['submitted', null],
  ];
  expect(stepsOf([open, review(1, 'VOID', at(1), at(12))])).toEqual(expected);
  expect(stepsOf([open, review(1, 'VOID', at(1), at(10))])).toEqual(expected);
});

test('a round that was decided at once, and before the next · keeps its own moment, after its beginning', () => {
  expect(stepsOf([review(2, 'OPEN', at(10), null), review(1, 'APPROVED', at(1), at(1))])).toEqual([
    ['submitted', null],
    ['ended', 'APPROVED'],
    ['submitted', null],
  ]);
});

test.each([
  ['withdrawal', true, 'CANCELLED_BY_PLATFORM'],
  ['withdrawal', false, 'CANCELLED'],
  ['deposit', true, 'CANCELLED_BY_PLATFORM'],
  ['deposit', false, 'CANCELLED'],
] as const)('a %s · cancelled, by the platform: %s · ends as %s', (kind, isOfPlatform, note) => {
  const money = {
    status: 'CANCELLED' as const,
    createdAt: at(1),
    updatedAt: at(5),
    isOfPlatform,
    paidAt: null,
  };
  const deposit = { ...money, expiresAt: at(50), receivedAt: null, returningSince: null };
  const order = { payout: null, tries: null, looks: null, begunAt: null };
  const facts: TimelineFacts = {
    tasks: [],
    proofs: [],
    reviews: [],
    deposit: kind === 'deposit' ? deposit : undefined,
    withdrawal: kind === 'withdrawal' ? { ...money, ...order, notBefore: null } : undefined,
    refund: undefined,
    submittedAt: undefined,
  };
  const { timeline } = presentTimeline(facts, { now: at(59), forOperator: false });
  expect(timeline.at(-1)).toMatchObject({ step: 'ended', note, since: at(5).toISOString() });
});
