import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { ERRORS } from '../../../domain/errors.ts';
import { SETTING_KEYS } from '../../../domain/settings.ts';

/** docs/interface.md is where comments point to; it must have what they point at. */
const told = readFileSync('docs/interface.md', 'utf8');

/** `interface 2.4` and `decisions 9` of comments, by file. */
function citationsIn(files: readonly { path: string; text: string }[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { path, text } of files) {
    for (const [, word = '', section = ''] of text.matchAll(
      /\b(interface|decisions) (\d+(?:\.\d+)?)\b/g,
    )) {
      found.set(`${word}-${section}`, path);
    }
  }
  return found;
}

const lostIn = (files: readonly { path: string; text: string }[]): string[] =>
  [...citationsIn(files)]
    .filter(([anchor]) => !told.includes(`<a id="${anchor}"></a>`))
    .map(([anchor, path]) => `${anchor} of ${path}`);

const sources = (): { path: string; text: string }[] =>
  execFileSync('git', ['ls-files', '*.ts', '*.sql', '*.md'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => existsSync(path) && path !== 'test/api/openapi/contract-docs.test.ts')
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

describe('docs/interface.md', () => {
  test('a rule that a comment cites · anywhere in the tree · has its section', () => {
    const files = sources();
    expect(citationsIn(files).size).toBeGreaterThan(30);
    expect(lostIn(files)).toEqual([]);
  });

  test('a citation that leads nowhere · planted · is found', () => {
    const planted = [{ path: 'api/x.ts', text: '/** interface 4.99 and decisions 2 */' }];
    expect(lostIn(planted)).toEqual(['interface-4.99 of api/x.ts']);
  });

  test('the catalogue of refusals · against the code · names every token with its code', () => {
    const rows = told.split('\n').filter((line) => /^\| 4\d{4} |^\| 5\d{4} /.test(line));
    const lost = Object.entries(ERRORS).filter(
      ([token, [code]]) =>
        !rows.some((row) => row.startsWith(`| ${code} |`) && row.includes(`\`${token}\``)),
    );
    expect(lost.map(([token]) => token)).toEqual([]);
    expect(rows.length).toBeGreaterThan(15);
  });

  test('settings · of operators · are all named', () => {
    expect(SETTING_KEYS.filter((key) => !told.includes(`\`${key}\``))).toEqual([]);
  });
});
