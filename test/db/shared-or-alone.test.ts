import { sharedOrAlone } from '../../db/shared-or-alone.ts';
import { pause } from '../support/until.ts';

test('alone · while others run together · waits for them, and those who come later wait for it', async () => {
  const gate = sharedOrAlone();
  const said: string[] = [];
  const run = (name: string, ms: number) => async (): Promise<string> => {
    said.push(`${name} begins`);
    await pause(ms, 'work that takes its time');
    said.push(`${name} ends`);
    return name;
  };
  const failing = async (): Promise<never> => {
    await pause(5, 'work that fails');
    throw new Error('failed');
  };
  const all = await Promise.allSettled([
    gate.shared(run('a', 20)),
    gate.shared(failing),
    gate.shared(run('b', 10)),
    gate.alone(run('alone', 10)),
    gate.shared(run('late', 1)),
    gate.alone(run('second', 1)),
  ]);
  expect(all.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(said.slice(0, 2)).toEqual(['a begins', 'b begins']);
  // Which of them ends first is the machine's business.
  expect(said.slice(2, 4).toSorted()).toEqual(['a ends', 'b ends']);
  expect(said.slice(4, 6)).toEqual(['alone begins', 'alone ends']);
  expect(said).toHaveLength(10);
  const second = said.indexOf('second begins');
  expect(said[second + 1]).toBe('second ends');
});
