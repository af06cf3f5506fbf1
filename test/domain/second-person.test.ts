import { NANOS_PER_UNIT } from '../../domain/money.ts';
import { needsSecondPerson } from '../../domain/second-person.ts';
import { settingsFrom } from '../../domain/settings.ts';

const settings = settingsFrom([
  { key: 'deposit.second_approval_above', value: 500 },
  { key: 'payout.second_approval_above', value: 20 },
]);

test.each([
  ['deposit', 500n * NANOS_PER_UNIT, false],
  ['deposit', 500n * NANOS_PER_UNIT + 1n, true],
  ['payout', 20n * NANOS_PER_UNIT, false],
  ['payout', 20n * NANOS_PER_UNIT + 1n, true],
] as const)('needsSecondPerson · a %s of %i nanos · %p', (money, amountNanos, expected) => {
  expect(needsSecondPerson(settings, money, amountNanos)).toBe(expected);
});
