import { AD_WORDS, adWordsIn } from '../../../domain/creative/ad-words.ts';
import { escapeHtml } from '../../../domain/creative/escape.ts';

test.each([
  ['en', 'en'],
  ['DE', 'de'],
  ['de-AT', 'de'],
  ['pt_BR', 'pt'],
  [' fr, en', 'fr'],
  ['zh', 'zh'],
  ['zh-CN', 'zh'],
  ['zh-Hans-HK', 'zh'],
  ['zh-Hant', 'zh-Hant'],
  ['zh-TW', 'zh-Hant'],
  ['zh_HK', 'zh-Hant'],
  ['ar-EG', 'ar'],
  // Another language of three letters is none of two.
  ['arc', 'en'],
  ['', 'en'],
  ['xx', 'en'],
  ['"><script>', 'en'],
])('a page that says %j · has the words of %s', (said, lang) => {
  expect(adWordsIn(said).lang).toBe(lang);
});

test.each(AD_WORDS)('$lang · words that no escaping changes, and that are their own', (words) => {
  for (const text of Object.values(words)) {
    expect(text).toMatch(/^[\p{L}\p{M} -]+$/u);
    expect(escapeHtml(text)).toBe(text);
  }
  expect(new Intl.Locale(words.lang).toString()).toBe(words.lang);
  expect(words.close).not.toBe(words.ad);
});
