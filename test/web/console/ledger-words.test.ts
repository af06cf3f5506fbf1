import { readFileSync } from 'node:fs';
import { chart } from '../../../domain/ledger/chart.ts';

/** As texts stand in their file: they are React's, which no test runs. */
const TEXT = readFileSync('web/console/texts/ledger.ts', 'utf8');
const tableOf = (name: string): Set<string> => {
  const body = new RegExp(`const ${name}: .*?= \\{(.*?)\n\\};`, 's').exec(TEXT)?.[1] ?? '';
  return new Set([...body.matchAll(/^ {2}'([^']+)':/gm)].map(([, key = '']) => key));
};
/** What comes and goes outside, and what waits, are named by their way. */
const BY_WAY = ['world', 'suspense'];

test.each(['ACCOUNTS', 'ACCOUNTS_ZH'])(
  'the books · each account of the chart · has words: %s',
  (table) => {
    const words = tableOf(table);
    const codes = Object.entries(chart)
      .filter(([name]) => !BY_WAY.includes(name))
      .map(([, code]) => (code as (...ids: number[]) => string)(1, 2).replaceAll(/:\d+/g, ''));
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.filter((code) => !words.has(code))).toEqual([]);
    expect([...words].filter((word) => !codes.includes(word))).toEqual([]);
  },
);
