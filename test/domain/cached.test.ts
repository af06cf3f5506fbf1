import { cached } from '../../domain/cached.ts';

test('cached · asked again and again · is made once, and what nobody asks for is made anew', () => {
  const made: string[] = [];
  const of = cached(4, (key) => {
    made.push(key);
    return key.toUpperCase();
  });
  for (const key of ['a', 'b', 'a', 'c', 'a', 'd', 'a', 'e'])
    expect(of(key)).toBe(key.toUpperCase());
  expect(made).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(of('b')).toBe('B');
  expect(made.at(-1)).toBe('b');
});
