import { timedHex, timeOfHex } from '../../../domain/tracking/timed-id.ts';

const AT = Date.parse('2026-01-31T12:00:00.000Z');

test('an id · of a moment · is 32 hex digits that begin with it', () => {
  const id = timedHex(new Date(AT));
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(timeOfHex(id)).toBe(AT);
});

test('ids · of moments in a row · come in their order', () => {
  const ids = [AT, AT + 1, AT + 2, AT + 1_000, AT + 86_400_000].map((at) => timedHex(new Date(at)));
  expect(ids.toSorted()).toEqual(ids);
});

test('ids · of one moment · differ in all that is not the moment', () => {
  const ids = Array.from({ length: 1_000 }, () => timedHex(new Date(AT)));
  expect(new Set(ids.map((id) => id.slice(12))).size).toBe(ids.length);
});

test('an id · of a moment of few digits · is as long as the others', () => {
  expect(timedHex(new Date(1))).toMatch(/^000000000001[0-9a-f]{20}$/);
});
