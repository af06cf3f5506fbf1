import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

const Woven = createRequire(path.resolve('test/dev/woven.test.ts'))(
  '../support/woven.cjs',
) as new () => {
  sort: (tests: { path: string }[]) => { path: string }[];
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'woven-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Of files that nobody has run: each is as long as its text says. */
function order(files: Record<string, string>): string[] {
  const tests = Object.entries(files).map(([name, text]) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return { path: file };
  });
  return new Woven().sort(tests).map((test) => path.basename(test.path));
}

const waits = `import { startPlatform } from '../support/platform.ts';`;
const works = (seconds: number): string => '.'.repeat(seconds * 3_000);

test('files · of which some wait · each goes beside one that works, the longest first; all are there', () => {
  const files = {
    short: works(10),
    long: works(35),
    middle: works(20),
    'waits-1': waits,
    'waits-2': waits,
    'waits-3': waits,
  };
  // 40 s each on one side; 35, 20 and 10 on the other, which then helps with what is left.
  expect(order(files)).toEqual(['waits-1', 'long', 'middle', 'waits-2', 'short', 'waits-3']);
});

test('files · of one kind alone · the longest first', () => {
  expect(order({ a: works(1), b: works(3), c: works(2) })).toEqual(['b', 'c', 'a']);
});
