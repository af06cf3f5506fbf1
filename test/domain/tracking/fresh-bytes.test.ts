import { fillFresh, freshText } from '../../../domain/tracking/fresh-bytes.ts';

test('fresh bytes · many times over the pool · never the same twice', () => {
  const seen = new Set<string>();
  for (let n = 0; n < 20_000; n += 1) seen.add(freshText(16, n % 2 === 0 ? 'hex' : 'base64url'));
  expect(seen.size).toBe(20_000);
});

test('fresh bytes · as text · as many as were asked for', () => {
  expect(freshText(16, 'hex')).toMatch(/^[0-9a-f]{32}$/);
  expect(freshText(12, 'base64url')).toMatch(/^[A-Za-z0-9_-]{16}$/);
});

test('fresh bytes · into given bytes · there alone, and each time others', () => {
  const seen = new Set<string>();
  for (let n = 0; n < 5_000; n += 1) {
    const bytes = Buffer.alloc(20, 7);
    fillFresh(bytes, 2, 16);
    expect([...bytes.subarray(0, 2), ...bytes.subarray(18)]).toEqual([7, 7, 7, 7]);
    seen.add(bytes.toString('hex'));
  }
  expect(seen.size).toBe(5_000);
});

test('fresh bytes · more than the pool holds · is refused', () => {
  expect(() => freshText(16_385, 'hex')).toThrow(RangeError);
  expect(() => fillFresh(Buffer.alloc(20_000), 0, 16_385)).toThrow(RangeError);
});
