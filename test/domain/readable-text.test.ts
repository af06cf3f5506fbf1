import { findTextFault } from '../../domain/readable-text.ts';

test.each([
  ['Ropes & twine: 50% off!', null],
  ['两行\n文字', null],
  ['قهوة طازجة', null],
  ['می‌خواهم', null], // a word of Persian with U+200C
  ['👩‍💻', null],
  ['Your data: safe, always', null],
  ['JavaScript for beginners', null],
  ['https://shop.example/?a=b', null],
  ['a\u0000b', 'control'],
  ['a\u0085b', 'control'],
  ['a\ud800b', 'control'],
  ['moc.\u202elapyap', 'direction'],
  ['a\u2066b', 'direction'],
  ['a\u200fb', 'direction'],
  ['pay\u200bpal', 'direction'],
  ['a\u{e0041}b', 'direction'],
  ['\ufeffa', 'direction'],
  ['javascript:alert(1)', 'script_address'],
  ['JaVaScRiPt : x', 'script_address'],
  ['java\nscript:x', 'script_address'],
  ['java\u00adscript:x', 'script_address'],
  ['see vbscript:x', 'script_address'],
  ['data:text/html,<b>x</b>', 'script_address'],
  ['data:,hello', 'script_address'],
  ['data:text/html;base64,AAAA', 'script_address'],
  ['blob:https://shop.example/1', 'script_address'],
] as const)('%j · %s', (text, fault) => {
  expect(findTextFault(text)).toBe(fault);
});
