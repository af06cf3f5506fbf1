import { normaliseDomain } from '../../../activities/publisher/site-domain.ts';

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
