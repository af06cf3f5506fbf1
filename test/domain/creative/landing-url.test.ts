import { findLandingUrlFault } from '../../../domain/creative/landing-url.ts';

const anywhere = { publicHostOnly: false };
const production = { publicHostOnly: true };

describe('landing page · macros', () => {
  test.each([
    'https://shop.example/',
    'https://shop.example/{click_id}?a={bid_id}&b=${AUCTION_ID}#{random}',
    'https://shop.example/?c={{click_id}}&d=__CLICK_ID__&e=%7Bclick_id%7D',
    'https://shop.example:8443/x?to=https://other.example/{zone_id}',
  ])('%s · may be sent to viewers', (url) => {
    expect(findLandingUrlFault(url, anywhere)).toBeNull();
  });

  test.each([
    ['https://{click_id}.evil.example/', 'macro_in_host'],
    ['https://shop.example.{zone_id}/', 'macro_in_host'],
    ['https://shop.${AUCTION_ID}.example/', 'macro_in_host'],
    ['https://shop.{{click_id}}.example/', 'macro_in_host'],
    ['https://shop.__CLICK_ID__.example/', 'macro_in_host'],
    ['https://shop.%7Bclick_id%7D.example/', 'macro_in_host'],
    ['https://shop.{unclosed.example/', 'macro_in_host'],
    ['https://shop.example:{zone_id}/', 'url'],
    ['{click_id}://shop.example/', 'url'],
    ['javascript:alert(1)', 'url'],
    ['//shop.example/', 'url'],
    ['', 'url'],
  ])('%s · is %s', (url, fault) => {
    expect(findLandingUrlFault(url, anywhere)).toBe(fault);
  });
});

describe('landing page · in production', () => {
  test.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://10.0.0.1:8080/',
    'http://localhost/',
    'http://intranet/',
    'http://a.localhost/',
    'http://db.internal/',
    'http://printer.local./',
  ])('%s · has no public name', (url) => {
    expect(findLandingUrlFault(url, production)).toBe('host_not_public');
    expect(findLandingUrlFault(url, anywhere)).toBeNull();
  });

  test.each(['https://shop.example/', 'https://shop.example./', 'https://müller.example/'])(
    '%s · is public',
    (url) => {
      expect(findLandingUrlFault(url, production)).toBeNull();
    },
  );
});
