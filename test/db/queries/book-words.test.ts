import { BOOK_NAMES } from '../../../db/queries/books.ts';
import { TRANSFER_TYPES } from '../../../domain/ledger/postings.ts';
import { bookChecks } from '../../../web/console/texts/book-checks.ts';
import { bookFiguresInChinese } from '../../../web/console/texts/book-figures-zh.ts';
import { ledgerNamesInChinese } from '../../../web/console/texts/ledger-zh.ts';

test.each(Object.entries(bookChecks))(
  'in %s · each check of the books has its words',
  (_language, words) => {
    expect(Object.keys(words).sort()).toEqual([...BOOK_NAMES].sort());
  },
);

test('in Chinese · what each check counts is said, and of no two the same', () => {
  expect(Object.keys(bookFiguresInChinese).sort()).toEqual([...BOOK_NAMES].sort());
  const said = Object.values(bookFiguresInChinese);
  expect(new Set(said).size).toBe(said.length);
  for (const words of said) expect(words).toMatch(/^\S.*。$/);
});

test('each kind of transfer has a Chinese name, and none the name of another', () => {
  const names = TRANSFER_TYPES.map((type) => ledgerNamesInChinese[type]);
  expect(names).not.toContain(undefined);
  expect(new Set(names).size).toBe(TRANSFER_TYPES.length);
});
