import { readFileSync } from 'node:fs';
import { FACT_ORDER, inReadingOrder } from '../../../api/present/approval-facts.ts';

/** Interface 5.19: whoever agrees reads first what it is and how much. */
const namesOf = (...names: string[]): string[] =>
  inReadingOrder(names.map((name) => ({ name }))).map(({ name }) => name);

test('facts of a withdrawal · as the database keeps them · are read from what it is to where it goes', () => {
  const kept = 'fee tax amount account channel arrival currency publisher_id withdrawal_id';
  expect(namesOf(...kept.split(' ')).join(' ')).toBe(
    'withdrawal_id amount fee tax arrival currency publisher_id channel account',
  );
});

test('facts without a place · come last · as they came', () => {
  expect(namesOf('zeta', 'value', 'alpha', 'key')).toEqual(['key', 'value', 'zeta', 'alpha']);
});

test('every fact that has words · has its place · once', () => {
  const [, words = ''] =
    /\bfacts: \{(.*?)\}/s.exec(readFileSync('web/console/texts/approval.ts', 'utf8')) ?? [];
  const named = [...words.matchAll(/^ +(\w+): /gm)].map(([, name]) => name);
  expect(FACT_ORDER).toHaveLength(named.length);
  expect(new Set<unknown>(FACT_ORDER)).toEqual(new Set(named));
});
