import fc from 'fast-check';
import { fillLandingUrl, type MacroValues } from '../../../domain/creative/macros.ts';

const values: MacroValues = {
  bid_id: 'b1d',
  click_id: 'c11c',
  request_id: 're9',
  creative_id: '42',
  zone_id: '7',
  timestamp: '1760000000',
  random: '99',
};
const fill = (template: string) => fillLandingUrl(`https://shop.example/p?${template}`, values);

test.each([
  ['{name}', 'a={click_id}&b={bid_id}&c={request_id}', 'a=c11c&b=b1d&c=re9'],
  [
    'all seven',
    '{bid_id}{click_id}{request_id}{creative_id}{zone_id}{timestamp}{random}',
    'b1dc11cre9427176000000099',
  ],
  ['${NAME}', 'a=${CLICK_ID}&b=${ZONE_ID}', 'a=c11c&b=7'],
  [
    'OpenRTB names',
    '${AUCTION_ID}|${AUCTION_BID_ID}|${AUCTION_AD_ID}|${AUCTION_IMP_ID}',
    're9|b1d|42|7',
  ],
  ['{{name}}', 'a={{click_id}}', 'a=c11c'],
  ['__NAME__', 'a=__CLICK_ID__&b=__zone_id__', 'a=c11c&b=7'],
  ['%7Bname%7D', 'a=%7Bclick_id%7D&b=%7bzone_id%7d', 'a=c11c&b=7'],
  [
    'unknown names',
    'a={other}&b=${GDPR_CONSENT_1}&c=__OTHER__',
    'a={other}&b=${GDPR_CONSENT_1}&c=__OTHER__',
  ],
  ["the player's [NAME]", 'a=[CACHEBUSTING]&b=[CLICK_ID]', 'a=[CACHEBUSTING]&b=[CLICK_ID]'],
  ['no macro', 'a=1', 'a=1'],
  [
    'object property names',
    '{constructor}{__proto__}{toString}',
    '{constructor}{__proto__}{toString}',
  ],
])('macros · %s · are filled in', (_name, template, expected) => {
  expect(fill(template)).toBe(`https://shop.example/p?${expected}`);
});

test('macros · a value that looks like a macro · is encoded and not read again', () => {
  const odd = { ...values, click_id: '{zone_id}&x=1#y' };
  expect(fillLandingUrl('https://shop.example/?a={click_id}', odd)).toBe(
    'https://shop.example/?a=%7Bzone_id%7D%26x%3D1%23y',
  );
});

test('macros · in host, port, scheme or user part · is refused', () => {
  for (const template of [
    'https://{click_id}.evil.example/',
    'https://shop.example.{click_id}/',
    'https://{click_id}@shop.example/',
    'https://shop.example:{zone_id}/',
    '{click_id}://shop.example/',
    'https://{zone_id}/',
    'javascript:alert({click_id})',
    'data:text/html,{click_id}',
    'nonsense',
    '',
  ]) {
    expect(fillLandingUrl(template, values)).toBeNull();
  }
});

test('macros · any template and any values · never change scheme or host', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '{click_id}',
      '${BID_ID}',
      '{{zone_id}}',
      '__RANDOM__',
      '%7Brandom%7D',
      '/',
      '?',
      '#',
      '@',
      ':',
      '.',
      '//',
      '\\',
    ),
    fc.string({ maxLength: 6 }),
  );
  const template = fc
    .array(piece, { maxLength: 8 })
    .map((pieces) => `https://shop.example${pieces.join('')}`);
  fc.assert(
    fc.property(template, fc.string(), (text, value) => {
      const filled = fillLandingUrl(text, {
        ...values,
        click_id: value,
        bid_id: value,
        zone_id: value,
        random: value,
      });
      if (filled === null) return;
      // Unknown names are left as they are, so the place is that of the known ones filled in.
      const known = (whole: string) =>
        Object.hasOwn(values, whole.replace(/%7[BD]|[${}]|^__|__$/gi, '').toLowerCase())
          ? 'x'
          : whole;
      const plain = new URL(
        text.replace(/\$\{\w+\}|\{\{\w+\}\}|\{\w+\}|%7B\w+?%7D|__\w+?__/gi, known),
      );
      expect(new URL(filled).protocol).toBe('https:');
      expect(new URL(filled).host).toBe(plain.host);
    }),
    {
      numRuns: 500,
      // An unknown name in the place of the host.
      examples: [['https://shop.example{0}', '']],
    },
  );
});
