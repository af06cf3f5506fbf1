import { readFileSync } from 'node:fs';

/** The table of rules and their tests: docs/letter.md. */
const ROW = /^\| ([\d.]+) \| (.+) \| (.+) \| `(.+)` \| (.+) \|$/;
const ROWS = readFileSync('docs/letter.md', 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [row = '', section = '', said = '', rule = '', file = '', words = ''] =
      ROW.exec(line) ?? [];
    return row === '' ? [] : [[`${section} ${rule}`, { section, said, file, words }] as const];
  });

test('the table · has its rules, and no line that is not read', () => {
  expect(ROWS.length).toBeGreaterThan(30);
  const lines = readFileSync('docs/letter.md', 'utf8').match(/^\|.+\|$/gm) ?? [];
  expect(lines.length).toBe(ROWS.length + 2);
});

test.each(ROWS)('%s · is quoted, of a section that is there', (_rule, { section, said }) => {
  expect(said).toMatch(/“.+”|^—$|^the same$/);
  expect(readFileSync('docs/interface.md', 'utf8')).toContain(`<a id="interface-${section}">`);
});

test.each(ROWS)('%s · is held by a test', (_rule, { file, words }) => {
  expect(readFileSync(`test/${file}.test.ts`, 'utf8')).toContain(words);
});
