import { campaigns } from '../../../db/tables/campaign.ts';

const status = campaigns.columns.status.of('t.status');
const budget = campaigns.columns.dailyBudgetNanos.of('t.daily_budget_nanos');

test('a word that the list has · is read as it', () => {
  expect(status.read(['ACT', 'IVE'].join(''))).toBe('ACTIVE');
});

test('a word of a newer database, which the list has not · stays as it is', () => {
  expect(status.read('FROZEN')).toBe('FROZEN');
});

test.each([
  ['0', 0n],
  ['-1', -1n],
  ['9223372036854775807', 9_223_372_036_854_775_807n],
  [null, null],
])('money %s · is read to the nano', (raw, nanos) => {
  expect(budget.read(raw)).toBe(nanos);
});
