import { findViolations, type Stored } from './check.ts';
import type { Reported } from './traffic.ts';

/** The checker of the fault runs must itself be able to fail. */
const report = (subject: string, answered = true): Reported => ({
  kind: 'impression',
  subject,
  answered,
});
const row = (subject: string, stored: number, billed = 1): Stored => ({
  kind: 'impression',
  subject,
  stored: String(stored),
  billed: String(billed),
});

describe('fault checker', () => {
  test('violations · answered stored once, unanswered stored or not · none', () => {
    expect(
      findViolations(
        [report('a'), report('b', false), report('c', false)],
        [row('a', 1), row('b', 1)],
      ),
    ).toEqual([]);
  });
  test('violations · an answered event is missing · lost', () => {
    expect(findViolations([report('a')], [])).toEqual(['lost: impression of a']);
  });
  test('violations · one event twice · told, and its double bill too', () => {
    expect(findViolations([report('a')], [row('a', 2, 2)])).toEqual([
      'stored 2 times: impression of a',
      'billed 2 times: impression of a',
    ]);
  });
});
