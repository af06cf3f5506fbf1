import { normaliseDomain, siteOf } from '../../../activities/publisher/site-domain.ts';

describe('domain', () => {
  it.each([
    ['Example.COM', 'example.com'],
    [' news.example.co.uk ', 'news.example.co.uk'],
    ['example.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['例え.jp', 'xn--r8jz45g.jp'],
    ['user.github.io', 'user.github.io'],
    ['pub.example', 'pub.example'],
  ])('%s · normalised · %s', (text, domain) => {
    expect(normaliseDomain(text)).toBe(domain);
    expect(normaliseDomain(domain)).toBe(domain);
  });

  it.each([
    'https://example.com',
    'example.com/path',
    'example.com:8080',
    'user@example.com',
    'example',
    'localhost',
    'app.localhost',
    'printer.local',
    'db.internal',
    'co.uk',
    'github.io',
    'com',
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '-a.example',
    'a_b.example',
    'a..example',
    'exa mple.com',
    '',
    '.',
    `${'a'.repeat(64)}.example`,
    'example.com?x',
    'example.com#x',
    '%65xample.com',
  ])('%s · normalised · refused', (text) => {
    expect(normaliseDomain(text)).toBeUndefined();
  });
});

describe('the site of an address', () => {
  it.each([
    ['shop.example', 'shop.example'],
    ['www.shop.example/sale', 'shop.example'],
    ['https://WWW.SHOP.example./x', 'shop.example'],
    ['https://www.paypal.com/signin', 'paypal.com'],
    ['shop.example.evil.com', 'evil.com'],
    ['mine.github.io/x', 'mine.github.io'],
    ['a.b.example.co.uk', 'example.co.uk'],
    ['127.0.0.1:8080/x', '127.0.0.1'],
    ['shop.example@evil.com', null],
    ['https:\\\\evil.com', null],
    ['just words', null],
    ['', null],
    [null, null],
  ])('%s · %s', (address, site) => {
    expect(siteOf(address)).toBe(site);
  });
});
