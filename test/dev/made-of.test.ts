import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeUnlessSame } from '../../dev/services/made-of.ts';

let folder: string;
let made = 0;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'made-of-'));
  made = 0;
  write('in/a.ts', 'a');
  write('in/deep/b.ts', 'b');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
}

/** Makes `in/deep/made.ts` of all else that lies below `in`. */
async function make(fails = false): Promise<number> {
  await makeUnlessSame({
    inputs: [path.join(folder, 'in')],
    except: [path.join(folder, 'in/deep/made.ts')],
    stamp: path.join(folder, 'out/made-of'),
    make: async () => {
      made += 1;
      if (fails) throw new Error('no room');
      write('in/deep/made.ts', String(made));
    },
  });
  return made;
}

test('what was made · of the same files · is left', async () => {
  expect(await make()).toBe(1);
  expect(await make()).toBe(1);
  expect(readFileSync(path.join(folder, 'in/deep/made.ts'), 'utf8')).toBe('1');
});

test.each([
  ['changed', () => write('in/deep/b.ts', 'B')],
  ['new', () => write('in/deep/c.ts', 'c')],
  ['gone', () => rmSync(path.join(folder, 'in/a.ts'))],
])('what was made · of files of which one is %s · is made again', async (_how, change) => {
  await make();
  change();
  expect(await make()).toBe(2);
  expect(await make()).toBe(2);
});

test('what could not be made · is tried again', async () => {
  await expect(make(true)).rejects.toThrow('no room');
  expect(await make()).toBe(2);
});
