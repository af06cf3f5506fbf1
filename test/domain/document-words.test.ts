import {
  amountWords,
  MOVEMENT_WORDS,
  movementWords,
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
