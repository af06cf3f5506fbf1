import { createStretch, STRETCH_MS } from '../../../api/ad/stretch.ts';

const BEGAN = Date.UTC(2026, 5, 1);
const at = (ms: number): Date => new Date(BEGAN + ms);

/** Tells its draws apart. */
function counting(): () => number {
  let drawn = 0;
  return () => (drawn += 1) / 100;
}

test('a stretch · lasts its time, then another is drawn', () => {
  const stretch = createStretch(counting());
  expect([0, 1, STRETCH_MS - 1].map((ms) => stretch(at(ms)))).toEqual([0.01, 0.01, 0.01]);
  expect(stretch(at(STRETCH_MS))).toBe(0.02);
  expect(stretch(at(10 * STRETCH_MS))).toBe(0.03);
});

test('a clock that is put back · does not keep one for as long', () => {
  const stretch = createStretch(counting());
  stretch(at(3_600_000));
  expect(stretch(at(0))).toBe(0.02);
  expect(stretch(at(STRETCH_MS))).toBe(0.03);
});
