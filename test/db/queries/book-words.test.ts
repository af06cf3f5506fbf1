import { BOOK_NAMES } from '../../../db/queries/books.ts';
import { TRANSFER_TYPES } from '../../../domain/ledger/postings.ts';
import { bookChecks } from '../../../web/console/texts/book-checks.ts';
import { ledgerNamesInChinese } from '../../../web/console/texts/ledger-zh.ts';

test.each(Object.entries(bookChecks))(
  'in %s · each check of the books has its words',
  (_language, words) => {
    expect(Object.keys(words).sort()).toEqual([...BOOK_NAMES].sort());
  },
);

test('each kind of transfer has a Chinese name, and none the name of another', () => {
  const names = TRANSFER_TYPES.map((type) => ledgerNamesInChinese[type]);
  expect(names).not.toContain(undefined);
  expect(new Set(names).size).toBe(TRANSFER_TYPES.length);
});
