import { decimalsOf } from '../../../web/console/parts/formats.ts';

test.each([
  { amounts: [], decimals: 2 },
  { amounts: [0, 12, -3.5], decimals: 2 },
  { amounts: [54.903, 0.94, 1], decimals: 3 },
  { amounts: [0.000001, 1_000_000], decimals: 6 },
  { amounts: [0.1 + 0.2, 78.525], decimals: 3 },
])('the decimals of a column · $amounts · are those of its most exact', (each) => {
  expect(decimalsOf(each.amounts)).toBe(each.decimals);
});
