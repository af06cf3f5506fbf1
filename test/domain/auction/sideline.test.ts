import fc from 'fast-check';
import { qualify } from '../../../domain/auction/eligibility.ts';
import { type Awaits, awaits } from '../../../domain/auction/sideline.ts';
import { DEVICES, OSES } from '../../../domain/viewer.ts';
import { type CandidateSketch, sketchCandidate, sketchTerms } from '../../support/auction.ts';

/** When an ad is out for everybody, and what it waits for. */
const NOON = new Date('2026-01-05T12:00:00Z');

const table: [what: string, sketch: Omit<CandidateSketch, 'ad'>, expected: Awaits | undefined][] = [
  ['all that it needs', { bid: 1 }, undefined],
  ['a first day to come', { start: '2026-01-06' }, 'day'],
  ['a last day gone', { end: '2026-01-04' }, 'day'],
  ['its day spent', { dailyBudget: 5, spentToday: 5 }, 'day'],
  ['its day spent but for one view', { dailyBudget: 5, spentToday: 4.999 }, undefined],
  ['its group’s day spent', { groupBudget: 5, groupSpent: 5 }, 'day'],
  ['its whole budget spent', { totalBudget: 9, spentTotal: 9 }, 'day'],
  ['no money', { balance: 0 }, 'money'],
  ['less money than one click', { model: 'CPC', bid: 1, balance: 0.5 }, 'money'],
  [
    'money for those who cost half',
    { model: 'CPC', bid: 1, balance: 0.5, adjustments: { device: { MOBILE: -50 } } },
    undefined,
  ],
  ['far ahead of its curve', { rotation: 'EVEN', dailyBudget: 10, spentToday: 8 }, 'pace'],
  ['a little ahead', { rotation: 'EVEN', dailyBudget: 10, spentToday: 5.3 }, undefined],
  ['an hour that is not now', { hours: [3] }, undefined],
];

test.each(table)('an ad with %s · waits for what ends it', (_what, sketch, expected) => {
  expect(awaits(sketchCandidate({ ad: 1, ...sketch }), NOON)).toBe(expected);
});

test('an ad that waits · asked by any viewer, at any roll · would have been refused', () => {
  const amounts = fc.integer({ min: 0, max: 20 }).map((tenths) => tenths / 10);
  const percents = fc.integer({ min: -100, max: 200 });
  fc.assert(
    fc.property(
      fc.record({
        model: fc.constantFrom('CPM' as const, 'CPC' as const),
        bid: amounts,
        balance: amounts,
        dailyBudget: amounts,
        spentToday: amounts,
        rotation: fc.constantFrom('EVEN' as const, 'ASAP' as const),
        adjustments: fc.record({
          device: fc.record({ MOBILE: percents }),
          geo: fc.record({ DE: percents }),
          os: fc.record({ IOS: percents }),
        }),
      }),
      fc.record({
        country: fc.constantFrom('US', 'DE', null),
        device: fc.constantFrom(...DEVICES),
        os: fc.constantFrom(...OSES),
      }),
      fc.double({ min: 0, max: 0.999_999, noNaN: true }),
      (sketch, viewer, roll) => {
        const candidate = sketchCandidate({ ad: 1, ...sketch });
        fc.pre(awaits(candidate, NOON) !== undefined);
        expect(typeof qualify(candidate, sketchTerms({ viewer, roll }))).toBe('string');
      },
    ),
    { numRuns: 500 },
  );
});
