import { markKeyOf } from '../../../db/tables/event-mark.ts';

const VIEWER = '0123456789abcdef0123456789abcdef';

test('a viewer’s key of 32 hex digits · stands in 16 bytes between the letter and the creative', () => {
  const key = markKeyOf(`i:${VIEWER}:${2 ** 40 + 7}`);
  expect(key.toString('latin1', 0, 1)).toBe('i');
  expect(key.toString('hex', 1, 17)).toBe(VIEWER);
  expect(key.readUIntBE(17, 6)).toBe(2 ** 40 + 7);
  expect(key).toHaveLength(23);
});

test.each([
  ['capitals', VIEWER.toUpperCase()],
  ['one digit less', VIEWER.slice(1)],
  ['one digit more', `${VIEWER}0`],
  ['another letter', `${VIEWER.slice(1)}g`],
  ['colons and letters of two bytes', 'a:é:b'],
  ['nothing', ''],
])('a viewer’s name with %s · stands there as it is, after a capital letter', (_what, viewer) => {
  const key = markKeyOf(`c:${viewer}:12`);
  expect(key.toString('utf8', 0, key.length - 6)).toBe(`C${viewer}`);
  expect(key.readUIntBE(key.length - 6, 6)).toBe(12);
});
