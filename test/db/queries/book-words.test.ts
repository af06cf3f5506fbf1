import { BOOK_NAMES } from '../../../db/queries/books.ts';
import { TRANSFER_TYPES } from '../../../domain/ledger/postings.ts';
import { bookTopicOf } from '../../../web/console/texts/book-advice.ts';
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

test('each check of the books · that does not hold · has the advice of what it is about', () => {
  expect(BOOK_NAMES.filter((name) => bookTopicOf(name) === 'ledger')).toEqual([
    'balances_sum_to_zero',
    'balances_equal_transfers',
    'balances_after_form_a_chain',
    'no_account_below_its_floor',
    'clearing_is_zero',
  ]);
});

test('each kind of transfer has a Chinese name, and none the name of another', () => {
  const names = TRANSFER_TYPES.map((type) => ledgerNamesInChinese[type]);
  expect(names).not.toContain(undefined);
  expect(new Set(names).size).toBe(TRANSFER_TYPES.length);
});
