import { createHmac } from 'node:crypto';
import {
  fillPostbackUrl,
  type PostbackValues,
  signPostbackUrl,
} from '../../../domain/tracking/postback.ts';

const VALUES: PostbackValues = {
  click_id: 'c1',
  conversion_id: '7',
  value: '2.5',
  currency: 'USD',
  event: 'LEAD',
  txid: 'a&b=c d',
  campaign_id: '1',
  adgroup_id: '2',
  ad_id: '3',
  creative_id: '4',
  zone_id: '5',
  timestamp: '1700000000',
};

test.each([
  ['https://a.example/p?c={click_id}&v={value}', 'https://a.example/p?c=c1&v=2.5'],
  ['https://a.example/p?c=${CLICK_ID}&v={{payout}}', 'https://a.example/p?c=c1&v=2.5'],
  [
    'https://a.example/p?t={txid}&u={transaction_id}',
    'https://a.example/p?t=a%26b%3Dc%20d&u=a%26b%3Dc%20d',
  ],
  ['https://a.example/p?x={unknown}&y={toString}', 'https://a.example/p?x={unknown}&y={toString}'],
  ['https://a.example/{event}/{conversion_id}', 'https://a.example/LEAD/7'],
  ['https://{event}.example/p', null],
  ['https://a.example:{conversion_id}/p', null],
  ['{event}://a.example/p', null],
  ['javascript:{event}', null],
])('fillPostbackUrl · %s · %s', (template, expected) => {
  expect(fillPostbackUrl(template, VALUES)).toBe(expected);
});

test.each([
  ['https://a.example/hooks/{txid}/done', '..', null],
  ['https://a.example/hooks/{txid}', '..', null],
  ['https://a.example/hooks/{txid}/done', '.', null],
  ['https://a.example/hooks/.{txid}/done', '.', null],
  ['https://a.example/hooks/{txid}/done', '../x', 'https://a.example/hooks/..%2Fx/done'],
  ['https://a.example/hooks/{txid}/done', '%2e%2e', 'https://a.example/hooks/%252e%252e/done'],
  ['https://a.example/hooks/{txid}/done', '', 'https://a.example/hooks//done'],
  ['https://a.example/hooks?t={txid}', '..', 'https://a.example/hooks?t=..'],
])(
  'fillPostbackUrl · %s · whoever reports %s · does not choose what is called: %s',
  (template, txid, expected) => {
    expect(fillPostbackUrl(template, { ...VALUES, txid })).toBe(expected);
  },
);

test.each([
  ['https://a.example/p', 'ts=1700000000'],
  ['https://a.example/p?c=1', 'c=1&ts=1700000000'],
  ['https://a.example/p?c=%7Bx%7D&d=a b#part', 'c=%7Bx%7D&d=a%20b&ts=1700000000'],
])(
  'signPostbackUrl · %s · signs all of the query before the signature, which is last',
  (url, signed) => {
    const called = signPostbackUrl(url, { secret: 'key', unixSeconds: 1_700_000_000 });
    const sig = createHmac('sha256', 'key').update(signed).digest('hex');
    expect(called).toBe(`https://a.example/p?${signed}&sig=${sig}`);
    expect(signPostbackUrl(url, { secret: 'other', unixSeconds: 1_700_000_000 })).not.toBe(called);
  },
);
