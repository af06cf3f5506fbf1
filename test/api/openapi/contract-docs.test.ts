import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { ERRORS } from '../../../domain/errors.ts';
import { SETTING_KEYS } from '../../../domain/settings.ts';

interface SourceFile {
  path: string;
  text: string;
}

/** docs/interface.md is where comments point to; it must have what they point at. */
const rules = readFileSync('docs/interface.md', 'utf8');

const SECTION = /\d+(?:\.\d+)?/.source;
/** `interface 2.4`, `interface 4.3, 2.3` and `interface 2.1 and 4.5`. */
const CITATION = new RegExp(`\\binterface (${SECTION}(?:(?:, | and )${SECTION})*)`, 'gi');
/** Numbers of their own for rules; docs/decisions/0002 has four digits and is a record. */
const SECOND_NUMBERING = /\bdecisions?[ -]\d{1,2}\b/gi;

/** A comment as one line, so that a citation may break between two. */
const unbroken = (text: string): string => text.replaceAll(/\n\s*(?:\*|\/\/|--|#)?\s*/g, ' ');

/** The sections that comments cite, each with a file that does. */
function citationsIn(files: readonly SourceFile[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { path, text } of files) {
    for (const [, sections = ''] of unbroken(text).matchAll(CITATION)) {
      for (const section of sections.split(/, | and /)) found.set(section, path);
    }
  }
  return found;
}

const lostIn = (files: readonly SourceFile[]): string[] =>
  [...citationsIn(files)]
    .filter(([section]) => !rules.includes(`<a id="interface-${section}"></a>`))
    .map(([section, path]) => `interface ${section} of ${path}`);

const secondNumberingIn = (files: readonly SourceFile[]): string[] =>
  files.flatMap(({ path, text }) =>
    [...unbroken(text).matchAll(SECOND_NUMBERING)].map(([cited]) => `${cited} of ${path}`),
  );

const sources = (): SourceFile[] =>
  execFileSync('git', ['ls-files'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => /\.(ts|mjs|cjs|sql|md|yaml|yml|html|css)$/.test(path) && existsSync(path))
    .filter((path) => path !== 'test/api/openapi/contract-docs.test.ts')
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

describe('docs/interface.md', () => {
  test('a rule that a comment cites · anywhere in the tree · has its section', () => {
    const files = sources();
    expect(citationsIn(files).size).toBeGreaterThan(30);
    expect(lostIn(files)).toEqual([]);
  });

  test('a citation that leads nowhere · planted · is found', () => {
    const planted = [
      { path: 'api/x.ts', text: '/** interface 4.99 */' },
      { path: 'api/y.ts', text: "rule: 'interface 2.1, 2.99'\n * (interface\n * 3.98)" },
    ];
    expect(lostIn(planted)).toEqual([
      'interface 4.99 of api/x.ts',
      'interface 2.99 of api/y.ts',
      'interface 3.98 of api/y.ts',
    ]);
  });

  test('rules · anywhere in the tree · have one numbering', () => {
    expect(secondNumberingIn(sources())).toEqual([]);
  });

  test.each([
    ['/** decisions 2 */', 'decisions 2'],
    [' * (decisions\n * 10)', 'decisions 10'],
    ['<a id="decisions-4"></a>', 'decisions-4'],
    ['-- Decision 7.', 'Decision 7'],
  ])('a rule of a second numbering · planted as %j · is found', (text, cited) => {
    expect(secondNumberingIn([{ path: 'api/x.ts', text }])).toEqual([`${cited} of api/x.ts`]);
  });

  test('a record of docs/decisions · cited · is no rule of a second numbering', () => {
    const text = '(docs/decisions/0002, decision 0008)';
    expect(secondNumberingIn([{ path: 'api/x.ts', text }])).toEqual([]);
  });

  test('the catalogue of refusals · against the code · names every token with its code', () => {
    const rows = rules.split('\n').filter((line) => /^\| 4\d{4} |^\| 5\d{4} /.test(line));
    const lost = Object.entries(ERRORS).filter(
      ([token, [code]]) =>
        !rows.some((row) => row.startsWith(`| ${code} |`) && row.includes(`\`${token}\``)),
    );
    expect(lost.map(([token]) => token)).toEqual([]);
    expect(rows.length).toBeGreaterThan(15);
  });

  test('settings · of operators · are all named', () => {
    expect(SETTING_KEYS.filter((key) => !rules.includes(`\`${key}\``))).toEqual([]);
  });
});
