import { isKept, undoOf } from '../../web/console/parts/undo-change.ts';

/** The way back from one change of a record, by what its history tells and what the record is now. */
const NOW = {
  name: 'Summer',
  bid: 0.75,
  days: [1, 2],
  trigger: { type: 'DELAY', delay: 3 },
  popup: null,
};
const change = (field: string, before: unknown, after: unknown) => ({ field, before, after });

test('a change · of fields that nobody touched since · gives back the earlier values of these alone', () => {
  const told = [change('name', 'Spring', 'Summer'), change('days', null, [1, 2])];
  expect(undoOf(told, NOW)).toEqual({
    body: { name: 'Spring', days: null },
    changes: [change('name', 'Summer', 'Spring'), change('days', [1, 2], null)],
    conflict: null,
  });
});

test('a change · of which one field was changed again · gives back nothing and says what stands there', () => {
  const told = [change('name', 'Spring', 'Summer'), change('bid', 0.2, 0.5)];
  expect(undoOf(told, NOW)).toEqual({
    body: null,
    changes: null,
    conflict: [change('bid', 0.5, 0.75)],
  });
});

test('a change · that somebody has given back by hand · has nothing to undo', () => {
  expect(undoOf([change('bid', 0.75, 0.5)], NOW).conflict).toEqual([change('bid', 0.5, 0.75)]);
});

test('values · that differ in the order of their fields alone · are the same', () => {
  const told = [change('trigger', { type: 'LOAD' }, { delay: 3, type: 'DELAY' })];
  expect(undoOf(told, NOW).body).toEqual({ trigger: { type: 'LOAD' } });
});

test('a group that the record shows field by field · is given back by the parts that changed', () => {
  const same = { impressions: 3 };
  const told = [
    change(
      'settings',
      { trigger: { type: 'LOAD' }, frequency: same },
      { frequency: same, trigger: { type: 'DELAY', delay: 3 } },
    ),
  ];
  expect(undoOf(told, NOW).body).toEqual({ trigger: { type: 'LOAD' } });
  expect(undoOf(told, { ...NOW, trigger: { type: 'CLICK' } }).conflict).toEqual([
    change('trigger', { type: 'DELAY', delay: 3 }, { type: 'CLICK' }),
  ]);
});

test('a part that came with another type · goes with it, and one that went comes back', () => {
  const settings = change('settings', { popup: { overlay: true } }, { trigger: NOW.trigger });
  const told = [change('name', 'Spring', 'Summer'), settings];
  expect(undoOf(told, NOW).body).toEqual({ name: 'Spring', popup: { overlay: true } });
});

test('a field that the record does not show · is never written back', () => {
  expect(undoOf([change('gone', 'a', 'b')], NOW).conflict).toEqual([change('gone', 'b', null)]);
});

test.each([
  ['whole values', change('name', 'a', 'b'), true],
  ['a value that was not there', change('name', null, 'b'), true],
  ['that something changed, without what', change('postback_url', null, null), false],
  ['the beginning of what it was', change('text', `${'x'.repeat(200)}…`, 'b'), false],
  ['the beginning of what it became', change('text', 'a', `${'x'.repeat(200)}…`), false],
])('a history that keeps %s · is kept: %#', (_what, told, kept) => {
  expect(isKept([change('name', 'a', 'b'), told])).toBe(kept);
});
