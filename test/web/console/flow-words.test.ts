import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** As texts stand in their files: they are React's, which no test runs. A part, or the whole of it. */
const part = (file: string, name?: string): string[] => {
  const text = readFileSync(`web/console/texts/${file}.ts`, 'utf8');
  const [head, indent] = name === undefined ? ['  en', 2] : [`    ${name}`, 4];
  const end = ' '.repeat(indent);
  const body = new RegExp(`\n${head}: \\{(.*?)\n${end}\\}`, 's').exec(text)?.[1] ?? '';
  return [...body.matchAll(new RegExp(`^${end} {2}(\\w+):`, 'gm'))].map(([, key = '']) => key);
};

test('the timeline of a site · what a look has found · is said in words on it too', () => {
  const outcomes = part('site', 'outcomes');
  expect(outcomes.length).toBeGreaterThan(10);
  const words = [...part('timeline', 'notes'), ...part('server-answer', 'refusals')];
  expect(outcomes.filter((code) => !words.includes(code))).toEqual([]);
});

test('operations · each phase that a step reports · has words for operators', () => {
  const sources = readdirSync('activities', {
    recursive: true,
    encoding: 'utf8',
  })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(path.join('activities', file), 'utf8'));
  const reported = sources.flatMap((text) => [
    ...[...text.matchAll(/phase: [^\n]*?'([a-z_]+)'(?: : '([a-z_]+)')?/g)].flatMap((each) =>
      each.slice(1),
    ),
    ...[...text.matchAll(/const PHASES = \{(.*?)\}/gs)].flatMap(([, body = '']) =>
      [...body.matchAll(/'([a-z_]+)'/g)].map(([, phase]) => phase),
    ),
  ]);
  const phases = [...new Set(reported.filter((phase) => phase !== undefined))];
  expect(phases).toEqual(expect.arrayContaining(['waiting', 'applying', 'bank_transfer', 'empty']));
  const words = part('phase');
  expect(phases.filter((phase) => !words.includes(phase))).toEqual([]);
});

test('operations · each way in which one fails · has words for operators', () => {
  const sources = ['activities', 'workflows'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(path.join(folder, file), 'utf8')),
  );
  const tokens = sources.flatMap((text) => [
    ...[...text.matchAll(/error: \{ error: '([a-z_]+)'/g)].map(([, token = '']) => token),
    ...[...text.matchAll(/error: \w+ \? '([a-z_]+)' : '([a-z_]+)'/g)].flatMap((each) =>
      each.slice(1),
    ),
    ...[...text.matchAll(/const failure = .*'([a-z_]+)'/g)].map(([, token = '']) => token),
  ]);
  expect(tokens).toEqual(
    expect.arrayContaining(['payout_failed', 'prompt_refused', 'too_many_events']),
  );
  const words = part('operation', 'errors');
  expect(tokens.filter((token) => !words.includes(token))).toEqual([]);
});
