import {
  amountWords,
  MOVEMENT_WORDS,
  movementWords,
  periodWords,
  subjectWords,
} from '../../domain/document-words.ts';

test.each([
  [0n, '$0.00'],
  [1n, '$0.000000001'],
  [-2_000_000_001n, '-$2.000000001'],
  [1_234_500_000_000n, '$1,234.50'],
  // More than a double holds.
  [9_007_199_254_740_993_123n, '$9,007,199,254.740993123'],
])('%s nanos · in a document · are %s', (nanos, text) => {
  expect(amountWords(nanos, 'USD')).toBe(text);
});

test('movements · in a document · have words, and what is new its own', () => {
  expect(movementWords('WITHDRAWAL_FEE')).toBe(MOVEMENT_WORDS.WITHDRAWAL_FEE);
  expect(Object.values(MOVEMENT_WORDS).filter((word) => /[A-Z_]{3}/.test(word))).toEqual([]);
  expect(movementWords('SOMETHING_NEW')).toBe('Something new');
  expect([subjectWords('campaign:12'), subjectWords('ad_group:3'), subjectWords('')]).toEqual([
    'Campaign 12',
    'Ad group 3',
    '',
  ]);
});

test.each([
  ['campaign:12', 'Autumn sale', 'Autumn sale (campaign 12)'],
  ['campaign:12', null, 'Campaign 12'],
  ['deposit:3', 'RF74000000001', 'Top-up RF74000000001'],
  ['withdrawal:2', null, 'Payout 2'],
  ['publisher:2', null, ''],
])('%s named %s · on a paper · is %s', (subject, name, words) => {
  expect(subjectWords(subject, name)).toBe(words);
});

test.each([
  ['2026-10', '1 to 31 October 2026 (UTC)'],
  ['2028-02', '1 to 29 February 2028 (UTC)'],
  ['2026-12', '1 to 31 December 2026 (UTC)'],
])('%s · as the period of a paper · is %s', (month, words) => {
  expect(periodWords(month)).toBe(words);
});
