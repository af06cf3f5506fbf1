import { setImmediate as nextTurn } from 'node:timers/promises';
import { inTurn } from '../../../api/http/turn.ts';

test('what is given in one turn · is run in its order, after all of it was given', async () => {
  const ran: string[] = [];
  inTurn(() => ran.push('first'));
  inTurn(() => ran.push('second'));
  expect(ran).toEqual([]);
  await nextTurn();
  expect(ran).toEqual(['first', 'second']);
});

test('what is given while others run · is run in the next turn', async () => {
  const ran: string[] = [];
  inTurn(() => {
    ran.push('first');
    inTurn(() => ran.push('third'));
  });
  inTurn(() => ran.push('second'));
  await nextTurn();
  expect(ran).toEqual(['first', 'second']);
  await nextTurn();
  expect(ran).toEqual(['first', 'second', 'third']);
});

test('one that throws · is a fault of the process, and those after it are run all the same', async () => {
  const ran: string[] = [];
  const faults: unknown[] = [];
  const before = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => faults.push(error));
  try {
    inTurn(() => ran.push('before'));
    inTurn(() => {
      throw new Error('planted');
    });
    inTurn(() => ran.push('after'));
    await nextTurn();
    await nextTurn();
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of before) process.on('uncaughtException', listener);
  }
  expect(ran).toEqual(['before', 'after']);
  expect(faults).toEqual([new Error('planted')]);
});
