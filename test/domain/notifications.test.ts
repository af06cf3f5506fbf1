import {
  hasOwnLetter,
  kindsOf,
  NOTIFICATION_KINDS,
  notificationText,
  waysOf,
} from '../../domain/notifications.ts';

test('every kind · without any facts · has a line of its own', () => {
  const lines = NOTIFICATION_KINDS.map((kind) => notificationText(kind, {}));
  expect(new Set(lines).size).toBe(NOTIFICATION_KINDS.length);
  expect(lines.filter((line) => /undefined|null|“/.test(line))).toEqual([]);
});

test.each([
  ['review_decided', { name: 'Sale', decision: 'rejected' }, 'Review of “Sale”: rejected'],
  [
    'withdrawal_failed',
    { amount: 120, currency: 'USD', status: 'RETURNED' },
    'Your withdrawal of 120.00 USD did not succeed: returned',
  ],
  ['kyc_decided', { status: 'expired' }, 'Your identity: expired'],
  [
    'budget_spent',
    { name: 'Sale', budget: 'total' },
    'The total budget of campaign “Sale” is spent',
  ],
] as const)('%s · with its facts · says them', (kind, params, text) => {
  expect(notificationText(kind, params)).toBe(text);
});

test('kinds · of each side · are all of them together', () => {
  const both = [...kindsOf('ADVERTISER'), ...kindsOf('PUBLISHER')];
  expect(new Set(both)).toEqual(new Set(NOTIFICATION_KINDS));
  expect(kindsOf('PUBLISHER')).not.toContain('deposit_paid');
});

test('ways · that somebody has said · go before the default, but for letters of their own', () => {
  expect(waysOf('review_decided', {})).toEqual({ console: true, mail: false });
  expect(waysOf('review_decided', { review_decided: { mail: true } }).mail).toBe(true);
  expect(waysOf('balance_low', { balance_low: { mail: false, console: false } })).toEqual({
    console: false,
    mail: false,
  });
  expect(hasOwnLetter('kyc_decided')).toBe(true);
  expect(waysOf('kyc_decided', { kyc_decided: { mail: false } }).mail).toBe(true);
});
