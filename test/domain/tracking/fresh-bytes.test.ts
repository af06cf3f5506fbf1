import { freshBytes } from '../../../domain/tracking/fresh-bytes.ts';

test('fresh bytes · many times over the pool · never the same twice, never shared', () => {
  const seen = new Set<string>();
  for (let n = 0; n < 20_000; n += 1) seen.add(freshBytes(16).toString('hex'));
  expect(seen.size).toBe(20_000);
  const first = freshBytes(16);
  const kept = first.toString('hex');
  freshBytes(16).fill(0);
  expect(first.toString('hex')).toBe(kept);
});

test('fresh bytes · more than the pool holds · is refused', () => {
  expect(() => freshBytes(16_385)).toThrow(RangeError);
});
