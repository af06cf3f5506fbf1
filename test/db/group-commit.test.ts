import { setImmediate as nextTurn } from 'node:timers/promises';
import { groupCommit } from '../../db/group-commit.ts';

/** A store whose writes end when the test says so. */
function slowStore({
  atOnce = 2,
  refuses = () => false,
}: { atOnce?: number; refuses?: () => boolean } = {}) {
  let waiting: number[] = [];
  let asked = 0;
  const writes: { group: number[]; end: () => void }[] = [];
  const { came } = groupCommit({
    atOnce,
    waiting: () => waiting.length,
    leave: () => {
      asked += 1;
      if (refuses()) return undefined;
      const group = waiting;
      waiting = [];
      return new Promise((end) => writes.push({ group, end }));
    },
  });
  return {
    writes,
    asked: () => asked,
    come: (from: number, to = from) => {
      for (let at = from; at <= to; at += 1) {
        waiting.push(at);
        came();
      }
    },
    sizes: () => writes.map(({ group }) => group.length),
    end: async (at: number) => {
      writes[at]?.end();
      // One to hear of it, one to leave.
      await nextTurn();
      await nextTurn();
    },
  };
}

test('what comes in one turn · leaves together at its end', async () => {
  const store = slowStore();
  store.come(1, 15);
  expect(store.sizes()).toEqual([]);
  await nextTurn();
  expect(store.sizes()).toEqual([15]);
});

test('sixteen · leave in the middle of the turn, what is left at its end', async () => {
  const store = slowStore();
  store.come(1, 16);
  expect(store.sizes()).toEqual([16]);
  store.come(17, 20);
  expect(store.sizes()).toEqual([16]);
  await nextTurn();
  expect(store.writes.map(({ group }) => group)).toEqual([
    Array.from({ length: 16 }, (_none, at) => at + 1),
    [17, 18, 19, 20],
  ]);
});

test('as many writes run as may · all that comes meanwhile shares the next one', async () => {
  const store = slowStore({ atOnce: 1 });
  store.come(1);
  await nextTurn();
  store.come(2, 41);
  await nextTurn();
  expect(store.sizes()).toEqual([1]);
  await store.end(0);
  expect(store.sizes()).toEqual([1, 40]);
});

test('two may run · the third waits for whichever ends first', async () => {
  const store = slowStore();
  for (const each of [1, 2, 3]) {
    store.come(each);
    await nextTurn();
  }
  expect(store.writes.map(({ group }) => group)).toEqual([[1], [2]]);
  await store.end(1);
  expect(store.writes.map(({ group }) => group)).toEqual([[1], [2], [3]]);
});

test('what waits may not leave before a write has ended · is looked at then, and not all the time', async () => {
  let isBusy = false;
  const store = slowStore({ refuses: () => isBusy });
  store.come(1);
  await nextTurn();
  isBusy = true;
  store.come(2, 33);
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  // The first, at 16 and at 32 that wait, and at the end of their turn.
  expect(store.asked()).toBe(4);
  expect(store.sizes()).toEqual([1]);
  isBusy = false;
  await store.end(0);
  expect(store.sizes()).toEqual([1, 32]);
});
