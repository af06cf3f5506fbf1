import { type PageTexts, readPageContext } from '../../domain/page-context.ts';

/** What is kept of a page that asks for ads (interface 4.13). */
const none: PageTexts = {
  url: '',
  title: '',
  keywords: '',
  category: '',
  type: '',
  tags: '',
  lang: '',
};
const read = (texts: Partial<PageTexts>) => readPageContext({ ...none, ...texts });

test('a page · that says everything · is kept without what stands behind its address', () => {
  expect(
    read({
      url: 'https://News.Example./a/b?user=me@x.example#top',
      title: ' Ten  shoes\u0000\nfor winter ',
      keywords: 'Running, winter ,,running，SHOES',
      category: 'Sports',
      type: 'Article',
      tags: 'a;b',
      lang: 'en_GB',
    }),
  ).toEqual({
    host: 'news.example',
    url: 'https://news.example./a/b',
    title: 'Ten shoes for winter',
    keywords: ['running', 'winter', 'shoes'],
    categories: ['sports'],
    tags: ['a', 'b'],
    type: 'article',
    lang: 'en-gb',
  });
});

test.each<[string, Partial<PageTexts>]>([
  ['nothing', {}],
  ['no address of the web', { url: 'javascript:alert(1)' }],
  ['no address', { url: 'http://' }],
  ['no language', { lang: 'english please' }],
  ['only what cannot be read', { title: '\u0000 \n', keywords: ' , ,' }],
])('a page · that says %s · is none', (_what, texts) => {
  expect(read(texts)).toBeNull();
});

test('half of a pair of UTF-16 · in any text · is left out, as PostgreSQL could not keep it', () => {
  const page = read({ title: `${'x'.repeat(199)}\u{1f600}`, keywords: 'a\ud83d', tags: '\ude00' });
  expect(JSON.stringify(page)).not.toMatch(/\\ud83d|\\ude00/);
});

test('words · too many, too long · are left out', () => {
  const many = Array.from({ length: 80 }, (_, at) => `word${at}`);
  const page = read({ keywords: [...many, 'y'.repeat(65)].join(','), tags: 'z'.repeat(65) });
  expect([page?.keywords.length, page?.tags]).toEqual([50, []]);
});
