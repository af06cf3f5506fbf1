import { keccak256 } from '../../domain/keccak.ts';

const hexOf = (text: string): string => Buffer.from(keccak256(Buffer.from(text))).toString('hex');

test.each([
  ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
  ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
  ['testing', '5f16f4c7f149ac4f9510d9cf8cf384038ad348b3bcdc01915f95de12df9d1b02'],
])('keccak256 · of %p · the published digest', (text, digest) => {
  expect(hexOf(text)).toBe(digest);
});

test('keccak256 · of one byte less, exactly and one more than a block · all differ', () => {
  expect(new Set([135, 136, 137].map((length) => hexOf('a'.repeat(length)))).size).toBe(3);
});
