import { isolated } from '../../../web/console/parts/isolated.ts';

const words = isolated({
  plain: 'Pause',
  named: (name: string, count: number) => `${name}: ${count} ads, ${typeof count}`,
  of: { deeper: { stop: (name: string) => `Stop “${name}” now?` } },
});

test.each([
  ['Hebrew', 'חבלים לסירות'],
  ['Arabic', 'حبال للقوارب'],
])(
  'a text · with a name in %s · keeps it apart from its own words and figures',
  (_script, name) => {
    expect(words.named(name, 3)).toBe(`\u2068${name}\u2069: 3 ads, number`);
    expect(words.of.deeper.stop(`Sea ${name}`)).toBe(`Stop “\u2068Sea ${name}\u2069” now?`);
  },
);

test('a text · with names from the left · is as it is written', () => {
  expect(words.plain).toBe('Pause');
  expect(words.named('Ropes 绳索 Ñandú', 3)).toBe('Ropes 绳索 Ñandú: 3 ads, number');
});
