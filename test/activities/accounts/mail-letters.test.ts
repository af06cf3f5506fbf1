import { letterOf } from '../../../activities/accounts/mail-letters.ts';

const FACTS = {
  detail: 'gazette.example.com',
  expiresAt: new Date('2026-11-24T16:05:59Z'),
  username: 'anna',
  account: 'Harbour Rope Ltd',
  realm: 'publisher',
  language: 'en',
  baseUrl: 'https://ads.example',
} as const;

test('letter · of a site that lapses · names the site, the moment and the console', () => {
  const { subject, text } = letterOf('site_lapsing', FACTS);
  expect(subject).toBe('We no longer find the proof on gazette.example.com');
  expect(text).toMatch(/^Hello anna,\n\n/);
  expect(text).toContain('before 2026-11-24 16:05 UTC');
  expect(text).toContain('https://ads.example/console/');
});

test('letter · of a site that has lapsed · names the site', () => {
  const { subject, text } = letterOf('site_lapsed', FACTS);
  expect(subject).toBe('gazette.example.com is no longer verified');
  expect(text).toContain('The console verifies it again.');
});

const PAID = {
  amount: 120,
  arrival: 117.5,
  currency: 'USD',
  destination: 'DE89****3000',
  status: 'PAID',
};
const notice = (
  kind: string,
  params: object,
  {
    language = 'en',
    type = 'withdrawal',
    realm = 'publisher',
  }: { language?: 'en' | 'zh'; type?: string; realm?: 'advertiser' | 'publisher' } = {},
) =>
  letterOf('notice', {
    ...FACTS,
    language,
    realm,
    detail: JSON.stringify({ kind, params, subject: { type, id: 7 } }),
  });

test.each([
  ['withdrawal_requested', {}, /was asked for/, /117\.50 USD go to DE89\*{4}3000/],
  ['withdrawal_held', {}, /waits for a closer look/, /The money stays yours/],
  [
    'withdrawal_approved',
    { until: '2026-11-24T16:05:00Z' },
    /was approved/,
    /from 2026-11-24 16:05 UTC on/,
  ],
  ['withdrawal_begun', {}, /is on its way/, /can no longer be cancelled/],
  ['withdrawal_sent', {}, /was paid/, /console\/publisher\/documents\?kind=PAYOUT_RECEIPT/],
  [
    'withdrawal_failed',
    { status: 'REJECTED', reasons: [{ code: 'NAME_DIFFERS', note: 'Says Ann.' }] },
    /did not succeed: rejected/,
    /- Names differ · .*Says Ann\.(.|\n)*console\/publisher\/payouts\/7/,
  ],
  [
    'withdrawal_failed',
    { status: 'RETURNED', reasons: [{ code: 'RETURNED_BY_BANK' }] },
    /came back from the bank/,
    /check the account(.|\n)*yours to withdraw again/,
  ],
  ['withdrawal_failed', { status: 'FAILED', reasons: [{ code: 'XX_9' }] }, /failed/, /- XX_9\n/],
  ['withdrawal_cancelled', { status: 'CANCELLED' }, /was cancelled/, /yours to withdraw again/],
])(
  'a letter · of %s %j · says what it means, in English and Chinese',
  (kind, extra, line, body) => {
    const { subject, text } = notice(kind, { ...PAID, ...extra });
    expect(subject).toMatch(line);
    expect(text).toMatch(body);
    expect(text).not.toMatch(/undefined|null/);
    const chinese = notice(kind, { ...PAID, ...extra }, { language: 'zh' });
    expect(chinese.text).toMatch(/^anna，您好：\n\n您的提现/);
    expect(chinese.text).toContain('120.00 USD');
    expect(chinese.text).not.toMatch(/undefined|null|[a-z]{3,} [a-z]{3,}/);
  },
);

test('a letter · of a withdrawal that the platform cancelled · says who, asks for no new password, shows no code', () => {
  const extra = { status: 'CANCELLED', reasons: [{ code: 'CANCELLED_BY_PLATFORM' }] };
  const { subject, text } = notice('withdrawal_cancelled', { ...PAID, ...extra });
  expect(subject).toMatch(/was cancelled by the platform$/);
  expect(text).toMatch(/yours to withdraw again/);
  expect(text).not.toMatch(/password|CANCELLED/);
  const chinese = notice('withdrawal_cancelled', { ...PAID, ...extra }, { language: 'zh' });
  expect(chinese.text).toMatch(/已被平台取消/);
  expect(chinese.text).not.toMatch(/密码|CANCELLED/);
  const failed = { status: 'FAILED', reasons: [{ code: 'CONFIRMED_FAILED' }] };
  expect(notice('withdrawal_failed', { ...PAID, ...failed }).text).not.toMatch(/CONFIRMED/);
});

const BACK = { amount: 40, currency: 'USD', name: 'DEP7K3', method: 'ALIPAY' };
const ORDER_PAGE = 'money/deposits/7';
const RECEIPTS_PAGE = 'documents?kind=REFUND_RECEIPT';

test.each([
  ['deposit_held', 'deposit', {}, /40\.00 USD fits none/, /DEP7K3\.(.|\n)*A person/, ORDER_PAGE],
  [
    'deposit_taken_back',
    'deposit',
    { status: 'PENDING' },
    /40\.00 USD was entered(.|\n)*mistake/,
    /Your top-up is DEP7K3\.(.|\n)*waits for its payment again/,
    ORDER_PAGE,
  ],
  [
    'balance_refund_begun',
    'balance_refund',
    {},
    /refund of 40\.00/,
    /ways(.|\n)*write to us/,
    'money',
  ],
  [
    'balance_refund_sent',
    'deposit',
    {},
    /sent back to you/,
    /Alipay, .* top-up DEP7K3/,
    RECEIPTS_PAGE,
  ],
  [
    'balance_refund_sent',
    'deposit',
    { method: 'OTHER' },
    /sent back/,
    /by OTHER, as/,
    RECEIPTS_PAGE,
  ],
  [
    'balance_refund_kept',
    'deposit',
    {},
    /not sent back/,
    /by Alipay(.|\n)*balance again/,
    ORDER_PAGE,
  ],
  [
    'balance_refund_kept',
    'balance_refund',
    { method: undefined },
    /not sent back/,
    /not approved, or was called off/,
    'money',
  ],
])(
  'a letter · of %s of a %s %j · to an advertiser · says it in both languages',
  (kind, type, extra, line, body, page) => {
    const { subject, text } = notice(kind, { ...BACK, ...extra }, { type, realm: 'advertiser' });
    expect(subject).toMatch(line);
    expect(text).toMatch(body);
    expect(text).toContain(`console/advertiser/${page}\n`);
    const chinese = notice(kind, { ...BACK, ...extra }, { type, language: 'zh' }).text;
    expect(chinese).toMatch(/^anna，您好：\n\n.*40\.00 USD/);
    expect(`${text}${chinese}`).not.toMatch(/undefined|null/);
    expect(chinese).not.toMatch(/[a-z]{3,} [a-z]{3,}/);
  },
);

test.each([
  ['kyc_received', {}, 'arrived', '已收到'],
  ['kyc_decided', { decision: 'approved', until: '2028-01-01T00:00:00Z' }, '2028-01-01', '2028-01'],
  [
    'kyc_decided',
    { decision: 'rejected', mendable: true, reasons: [{ code: 'UNREADABLE' }] },
    'Please send what is missing',
    '请补充',
  ],
  [
    'kyc_decided',
    { decision: 'rejected', mendable: false, reasons: [{ code: 'FORGED' }] },
    'not accepted',
    '未通过',
  ],
  ['kyc_decided', { status: 'expired' }, 'You go on earning', '收益照常'],
  [
    'kyc_expiring',
    { days: 7, until: '2026-12-01T00:00:00Z' },
    'Your proof of identity expires within 7 days',
    '7 天内过期',
  ],
])('a letter · of %s %j · says what to do, and where', (kind, params, said, chinese) => {
  const { text } = notice(kind, params, { type: 'kyc' });
  expect(text).toContain(said);
  expect(text).toContain('https://ads.example/console/publisher/kyc');
  expect(notice(kind, params, { type: 'kyc', language: 'zh' }).text).toContain(chinese);
});

test.each([
  ['campaign', 'advertiser', 'campaigns'],
  ['adgroup', 'advertiser', 'ad-groups'],
  ['ad', 'advertiser', 'ads'],
  ['creative', 'advertiser', 'creatives'],
  ['site', 'publisher', 'sites'],
] as const)('a letter · of a rejected %s · says why, and leads to it', (type, realm, page) => {
  const params = { name: 'Sale', reasons: [{ code: 'OTHER', note: 'No such price' }] };
  const { subject, text } = notice('review_rejected', params, { type, realm });
  expect(subject).toMatch(/^Review of .*“Sale”: rejected$/);
  expect(text).toMatch(/submitted again, or appealed(.|\n)*- .*No such price/);
  expect(text).toContain(`console/${realm}/${page}/7\n`);
  const chinese = notice('review_rejected', params, { type, realm, language: 'zh' });
  expect(chinese.subject).toMatch(/“Sale”未通过审核$/);
  expect(chinese.text).toContain('提出申诉');
});

test.each([
  'password_reset',
  'invitation',
  'site_lapsing',
  'site_lapsed',
  'domain_moved',
  'task_given',
] as const)(
  'a letter · %s, to whoever reads Chinese · is Chinese, with the same address',
  (kind) => {
    const english = letterOf(kind, FACTS).text;
    const { subject, text } = letterOf(kind, { ...FACTS, language: 'zh' });
    expect(subject).toMatch(/\p{Script=Han}/u);
    expect(text.match(/https:\S+/g)).toEqual(english.match(/https:\S+/g));
  },
);

test('a letter · that a build before has queued · is still written', () => {
  expect(letterOf('kyc_approved', FACTS).subject).toBe('Your identity is verified');
  expect(letterOf('kyc_rejected', FACTS).subject).toBe('Your proof of identity needs more');
  expect(letterOf('kyc_expired', FACTS).subject).toBe('Your proof of identity has expired');
});

test.each([
  ['advertiser', 'advertiser/reports?schedules=yes'],
  ['admin', 'operator/reports?schedules=yes'],
] as const)(
  'letter · of a scheduled report that failed, to %s · says why, what to do, and leads to the schedules',
  (realm, page) => {
    const detail = JSON.stringify({
      kind: 'report_failed',
      params: { name: 'Morning', failure: 'too_many_rows' },
      subject: { type: 'report_schedule', id: 7 },
    });
    const { subject, text } = letterOf('notice', { ...FACTS, realm, detail });
    expect(subject).toBe(
      'Your scheduled report “Morning” was not sent: the report has too many rows',
    );
    expect(text).toContain('Change the schedule to fewer days');
    expect(text).toContain(`https://ads.example/console/${page}`);
    expect(letterOf('notice', { ...FACTS, realm, language: 'zh', detail }).text).toContain(
      '请减少定时报表的天数',
    );
  },
);
