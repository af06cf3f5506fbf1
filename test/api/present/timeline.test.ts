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
