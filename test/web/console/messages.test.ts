import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defaultLocale } from 'yup';
import {
  catalogueWith,
  messagesInChinese,
} from '../../../web/console/texts/messages/catalogue-zh.ts';
import { sentMessagesOf } from '../../support/sent-messages.ts';

const ROOMS = ['api', 'activities', 'domain', 'db'];

/** Files whose words no console shows as they are. */
const SAID_ELSEWHERE = [
  /^api\/(contracts|openapi)\/|^api\/(docs|media-files)\.ts$/, // The document.
  /^api\/(ad|track|reward)\/|^activities\/tracking\/rewards\.ts$/, // Pages, apps and servers of others.
  /^api\/(codec|payments)\//, // Temporal's pages, and providers.
  /^db\//, // Checks of the books have their words in texts/book-checks.ts; the rest is the command line's.
  /^activities\/accounts\/(mail-letters|notice-letter|report-letter|security-letter-texts)\.ts$/, // Letters: both languages.
  /^domain\/(reasons-of-(content|money)|notification-texts|report-failures)\.ts$/, // Both languages side by side.
  /^domain\/creative\/ad-words\.ts$/, // For viewers, in their pages' languages.
  /^activities\/providers\/ai-(openai|embedded-copy)\.ts$/, // Orders to a model, and what a sandbox makes of one.
];
/** Where else a sentence is no message: of the document. */
const NO_MESSAGES = new Set(['description']);
const NEVER_SHOWN = new Set([
  '{0} {1}', // A field of a conversion and what is wrong with it: to the server that reported.
]);

const sent = ROOMS.flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(room, file))
    .filter((file) => file.endsWith('.ts') && !SAID_ELSEWHERE.some((of) => of.test(file)))
    .flatMap((file) => messagesOf(readFileSync(file, 'utf8')).map((text) => ({ file, text }))),
);
/** What the library of the schemas says by itself. */
const ofSchemas = Object.values(defaultLocale)
  .flatMap((kind) => Object.values(kind as Record<string, unknown>))
  .filter((text) => typeof text === 'string')
  .map((text) => {
    let at = 0;
    return text.replace(/\$\{\w+\}/g, () => `{${at++}}`);
  });

function messagesOf(source: string): string[] {
  const found = sentMessagesOf(source).filter(({ of }) => !NO_MESSAGES.has(of));
  return found.map(({ text }) => text).filter((text) => !NEVER_SHOWN.has(text));
}

const unknown = (texts: string[]): string[] =>
  texts.filter((text) => !Object.hasOwn(messagesInChinese, text));

const inChinese = catalogueWith({
  pause: '暂停',
  ARCHIVED: '已归档',
  IMAGE_MISSING: '缺少图片。',
  VIDEO_MISSING: '缺少视频。',
});
const HAN = /\p{Script=Han}/u;
const filled = (text: string): string => text.replace(/\{(\d+)\}/g, (_all, at) => `A${at}`);
const placesIn = (text: string): string[] => text.match(/\{\d+\}/g) ?? [];

test('messages · of the whole API · are in the Chinese catalogue', () => {
  expect(sent.length).toBeGreaterThan(300);
  const missing = sent.filter(({ text }) => unknown([text]).length > 0);
  expect(missing).toEqual([]);
  expect(unknown(ofSchemas)).toEqual([]);
});

test.each([
  ['a sentence', `throw conflict('Nobody has said this before.');`],
  ['a sentence of a refusal', `const rule = { refusal: 'Nobody has said this.' };`],
  ['the rule of a field', `yup.string().matches(/a/, 'must hold an a');`],
  ['one with what is filled in', 'const faults = [{ message: `at most ${max} of these` }];'],
  ['one of two pieces', `invalid({ message: 'must be of one or ' + 'of the other' });`],
  ['one of two', `const message = isOld ? 'is too old here' : 'is taken';`],
])('a message that the catalogue does not have · %s · is found', (_kind, source) => {
  expect(unknown(messagesOf(source))).toHaveLength(1);
});

test('the catalogue · each of its entries · is said by the API', () => {
  const said = new Set([...sent.map(({ text }) => text), ...ofSchemas]);
  expect(Object.keys(messagesInChinese).filter((text) => !said.has(text))).toEqual([]);
});

test('the catalogue · each of its entries · is Chinese, and fills in what the message does', () => {
  const bad = Object.entries(messagesInChinese).filter(
    ([text, words]) =>
      !HAN.test(words) || placesIn(words).some((place) => !placesIn(text).includes(place)),
  );
  expect(bad).toEqual([]);
});

test('the catalogue · a message that is filled in · is read by its own entry', () => {
  const others = Object.entries(messagesInChinese).filter(
    ([text, words]) => inChinese(filled(text)) !== filled(words),
  );
  expect(others).toEqual([]);
});

test.each([
  ['Cannot pause while ARCHIVED.', '当前状态为“已归档”，无法执行“暂停”。'],
  ['must be a whole number from 0 to 9', '须为0 至 9 的整数。'],
  ['This e-mail address has a login already.', '此邮箱已有登录账号。'],
  ['Cannot approve: IMAGE_MISSING, VIDEO_MISSING.', '不能通过：缺少图片、缺少视频。'],
  ['kinds[0] must be text', '须为文本。'],
  ['Row 3, column "Betrag": is nothing.', '第 3 行，“Betrag”列：为空。'],
])('in Chinese · %s · is said with its parts', (said, words) => {
  expect(inChinese(said)).toBe(words);
});

test('in Chinese · a sentence that nobody knows · is as it was sent', () => {
  expect(inChinese('The moon is full tonight.')).toBe('The moon is full tonight.');
  expect(inChinese('constructor')).toBe('constructor');
});
