import { notificationText } from '../../domain/notification-texts.ts';
import {
  hasOwnLetter,
  isAlwaysWritten,
  kindsOf,
  NOTIFICATION_KINDS,
  waysOf,
} from '../../domain/notifications.ts';
import { LANGUAGES } from '../../domain/person.ts';

test.each(LANGUAGES)(
  'every kind · without any facts, in %s · has a line of its own',
  (language) => {
    const lines = NOTIFICATION_KINDS.map((kind) => notificationText(kind, {}, language));
    expect(new Set(lines).size).toBe(NOTIFICATION_KINDS.length);
    expect(lines.filter((line) => /undefined|null|“/.test(line))).toEqual([]);
    expect(lines.filter((line) => /\p{Script=Han}/u.test(line) !== (language === 'zh'))).toEqual(
      [],
    );
  },
);

test.each([
  ['review_decided', { name: 'Sale', decision: 'rejected' }, 'Review of “Sale”: rejected'],
  [
    'withdrawal_failed',
    { amount: 120, currency: 'USD', status: 'RETURNED' },
    'Your withdrawal of 120.00 USD came back from the bank',
  ],
  ['kyc_decided', { status: 'expired' }, 'Your proof of identity has expired'],
  ['kyc_decided', { decision: 'approved' }, 'Your identity is verified'],
  ['kyc_decided', { decision: 'rejected', mendable: true }, 'Your proof of identity needs more'],
  ['kyc_decided', { decision: 'rejected', mendable: false }, 'Your proof of identity was refused'],
  [
    'report_failed',
    { name: 'Morning', failure: 'too_many_rows' },
    'Your scheduled report “Morning” was not sent: the report has too many rows',
  ],
  [
    'report_failed',
    { name: 'Morning', failure: 'internal' },
    'Your scheduled report “Morning” was not sent: the file could not be written',
  ],
  ['kyc_expiring', { days: 1 }, 'Your proof of identity expires within a day'],
  [
    'share_agreed',
    { percent: 82.5, from: '2026-12-01' },
    'From 2026-12-01 on you earn 82.5% of what advertisers pay',
  ],
  [
    'budget_spent',
    { name: 'Sale', budget: 'total' },
    'The total budget of campaign “Sale” is spent',
  ],
] as const)('%s · with its facts · says them', (kind, params, text) => {
  expect(notificationText(kind, params)).toBe(text);
});

test.each(LANGUAGES)(
  'a notice · without an outcome, in %s · does not say that it failed',
  (language) => {
    const failed = NOTIFICATION_KINDS.map((kind) => notificationText(kind, {}, language)).filter(
      (line) => /failed|: *$|失败|：$/.test(line),
    );
    expect(failed).toEqual([]);
  },
);

test('a withdrawal · cancelled by the platform, or by its owner · says so, or just that it was', () => {
  const amount = { amount: 20, currency: 'USD', status: 'CANCELLED' };
  const reasons = [{ code: 'CANCELLED_BY_PLATFORM' }];
  expect(notificationText('withdrawal_cancelled', amount)).toBe(
    'Your withdrawal of 20.00 USD was cancelled',
  );
  expect(notificationText('withdrawal_cancelled', { ...amount, reasons })).toBe(
    'Your withdrawal of 20.00 USD was cancelled by the platform',
  );
});

test('an amount · before a sign of Chinese · stands close to it', () => {
  const facts = { amount: 120, currency: 'USD' };
  expect(notificationText('deposit_held', facts, 'zh')).toBe(
    '收到款项 120.00 USD，但没有对应的待付充值订单',
  );
  expect(notificationText('deposit_taken_back', facts, 'zh')).toBe(
    '您的充值误登记了一笔收款 120.00 USD，已撤销',
  );
});

test('reviews · of a campaign and its ad group of one name · are told apart in both languages', () => {
  const said = (subject: string, language: 'en' | 'zh'): string =>
    notificationText('review_decided', { name: 'Sale', decision: 'approved' }, language, subject);
  expect(said('campaign', 'en')).toBe('Review of campaign “Sale”: approved');
  expect(said('adgroup', 'en')).toBe('Review of ad group “Sale”: approved');
  expect(said('campaign', 'zh')).toBe('广告活动“Sale”的审核结果：通过');
  expect(said('adgroup', 'zh')).toBe('广告组“Sale”的审核结果：通过');
  // A kind that the texts do not know yet.
  expect(said('banner', 'en')).toBe('Review of “Sale”: approved');
});

test('kinds · of each side · are all of them together', () => {
  const both = [...kindsOf('ADVERTISER'), ...kindsOf('PUBLISHER')];
  expect(new Set(both)).toEqual(new Set(NOTIFICATION_KINDS));
  expect(kindsOf('PUBLISHER')).not.toContain('deposit_paid');
});

test('ways · that somebody has said · go before the default, but for letters that are always written', () => {
  expect(waysOf('review_decided', {})).toEqual({ console: true, mail: false });
  expect(waysOf('review_decided', { review_decided: { mail: true } }).mail).toBe(true);
  expect(waysOf('balance_low', { balance_low: { mail: false, console: false } })).toEqual({
    console: false,
    mail: false,
  });
  const always = NOTIFICATION_KINDS.filter((kind) =>
    /^(deposit|balance_refund|withdrawal|spend|earnings|share|kyc)_/.test(kind),
  );
  expect(always).toHaveLength(22);
  for (const kind of always) {
    expect([kind, isAlwaysWritten(kind), hasOwnLetter(kind)]).toEqual([kind, true, false]);
    expect(waysOf(kind, { [kind]: { mail: false } }).mail).toBe(true);
  }
  expect(hasOwnLetter('site_lapsing')).toBe(true);
  expect(waysOf('site_lapsing', { site_lapsing: { mail: false } }).mail).toBe(true);
});
