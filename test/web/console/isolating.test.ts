import { isolating } from '../../../web/console/parts/isolating.ts';

const words = isolating({
  title: 'Sites',
  of: (name: string, count: number) => `${count} zones of ${name} (all)`,
  deep: {
    asked: ({ name, names }: { name: string; names: string[] }) => `${name}: ${names.join()}`,
  },
}) as {
  title: string;
  of: (name: string, count: number) => string;
  deep: { asked: (values: { name: string; names: string[] }) => string };
};

test('a sentence · with a name from left to right · is as it was', () => {
  expect(words.title).toBe('Sites');
  expect(words.of('港口报 Gazette', 3)).toBe('3 zones of 港口报 Gazette (all)');
});

test.each([
  ['Hebrew', 'עיתון הנמל'],
  ['Arabic', 'جريدة الميناء'],
  ['a mark that turns what follows', 'a\u202eb'],
])('a sentence · with a name in %s · keeps its own direction around it', (_which, name) => {
  expect(words.of(name, 3)).toBe(`3 zones of \u2068${name}\u2069 (all)`);
  expect(words.deep.asked({ name, names: ['a', name] })).toBe(
    `\u2068${name}\u2069: a,\u2068${name}\u2069`,
  );
});

test('a sentence · of a date or an element · takes it as it is', () => {
  const at = new Date(0);
  const same = isolating({ of: (value: unknown) => String(value === at) }) as {
    of: (value: unknown) => string;
  };
  expect(same.of(at)).toBe('true');
});
