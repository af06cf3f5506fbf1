import { readFileSync } from 'node:fs';

/** The table of rules and their tests: docs/letter.md. */
const ROWS = readFileSync('docs/letter.md', 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, rule = '', file = '', words = ''] = /^\| (.+) \| `(.+)` \| (.+) \|$/.exec(line) ?? [];
    return rule === '' ? [] : [[rule, file, words] as const];
  });

test('the table · has its rules', () => {
  expect(ROWS.length).toBeGreaterThan(20);
});

test.each(ROWS)('%s · is held by a test of %s', (_rule, file, words) => {
  expect(readFileSync(`test/${file}.test.ts`, 'utf8')).toContain(words);
});
