import { createRateCounts, minuteOf } from '../../../domain/tracking/rates.ts';

const AT = Date.parse('2026-01-31T12:00:30Z');
const MINUTE = 60_000;

test('events · of one viewer in one minute · are counted', () => {
  const counts = createRateCounts();
  expect(counts.count('impression', 'v', AT)).toBe(1);
  expect(counts.count('impression', 'v', AT + 29_999)).toBe(2);
});

test('events · of the next minute, of another viewer, of another kind · are counted anew', () => {
  const counts = createRateCounts();
  counts.count('impression', 'v', AT);
  expect(counts.count('impression', 'v', AT + MINUTE)).toBe(1);
  expect(counts.count('impression', 'w', AT)).toBe(1);
  expect(counts.count('click', 'v', AT)).toBe(1);
  expect(counts.count('impression', 'v', AT)).toBe(2);
});

test('a minute · is known once it is learned · and forgotten when too many are held, the oldest used first', () => {
  const counts = createRateCounts(3);
  const minute = minuteOf(AT);
  expect(counts.knows(minute)).toBe(false);
  counts.learn(minute);
  expect(counts.knows(minute)).toBe(true);
  for (const viewer of ['a', 'b']) counts.count('impression', viewer, AT);
  for (const viewer of ['a', 'b']) counts.count('impression', viewer, AT + MINUTE);
  counts.count('click', 'a', AT);
  counts.trim();
  expect(counts.knows(minute)).toBe(true);
  expect(counts.knows(minute + 1)).toBe(false);
  expect(counts.count('impression', 'a', AT)).toBe(2);
});
