import { setImmediate as nextLook } from 'node:timers/promises';
import { afterTurn, inShortTurn, inTurn } from '../../../api/http/turn.ts';

let ran: string[] = [];
beforeEach(() => {
  ran = [];
});
const looks = async (count: number): Promise<void> => {
  for (let look = 0; look < count; look += 1) await nextLook();
};

test('what is given in one turn · is run in its order, after a look that brought nothing', async () => {
  inTurn(() => ran.push('first'));
  inTurn(() => ran.push('second'));
  await looks(1);
  expect(ran).toEqual([]);
  await looks(1);
  expect(ran).toEqual(['first', 'second']);
});

test('what the next look brings · is run with what came before', async () => {
  inTurn(() => ran.push('first'));
  await looks(1);
  inTurn(() => ran.push('second'));
  await looks(1);
  expect(ran).toEqual([]);
  await looks(1);
  expect(ran).toEqual(['first', 'second']);
});

test('each look brings more · nobody waits for more than seven', async () => {
  for (let look = 0; look < 7; look += 1) {
    inTurn(() => ran.push(`of look ${look}`));
    expect(ran).toEqual([]);
    await looks(1);
  }
  expect(ran).toHaveLength(7);
});

test.each([
  ['128', inTurn, [128, 256, 300, 300]],
  ['32 that wait for a commit', inShortTurn, [32, 64, 96, 128]],
])(
  'more than %s · other work comes between, and all are run in their order',
  async (_most, give, seenAfterLooks) => {
    const given = Array.from({ length: 300 }, (_none, at) => String(at));
    for (const name of given) give(() => ran.push(name));
    const seen: number[] = [];
    for (let look = 0; look < 4; look += 1) {
      await looks(1);
      seen.push(ran.length);
    }
    expect(seen).toEqual(seenAfterLooks);
    await looks(7);
    expect(ran).toEqual(given);
  },
);

test('what is given while others run · is run in a turn of its own', async () => {
  inTurn(() => {
    ran.push('first');
    inTurn(() => ran.push('third'));
  });
  inTurn(() => ran.push('second'));
  await looks(2);
  expect(ran).toEqual(['first', 'second']);
  await looks(2);
  expect(ran).toEqual(['first', 'second', 'third']);
});

test('what is answered in a turn · leaves after all of the turn is decided', async () => {
  for (const name of ['one', 'two']) {
    inTurn(() => {
      ran.push(`${name} is decided`);
      afterTurn(() => ran.push(`${name} is answered`));
    });
  }
  await looks(2);
  expect(ran).toEqual(['one is decided', 'two is decided', 'one is answered', 'two is answered']);
});

test('what is answered after one reply of a store · leaves after all that waited for it are decided', async () => {
  const reply = Promise.resolve();
  for (const name of ['one', 'two']) {
    void reply.then(() => {
      ran.push(`${name} is decided`);
      afterTurn(() => ran.push(`${name} is answered`));
    });
  }
  await looks(1);
  expect(ran).toEqual(['one is decided', 'two is decided', 'one is answered', 'two is answered']);
});

test.each([
  ['a decision', inTurn],
  ['a report', inShortTurn],
  ['an answer', afterTurn],
])(
  '%s that throws · is a fault of the process, and those after it are run all the same',
  async (_what, give) => {
    const faults: unknown[] = [];
    const before = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => faults.push(error));
    try {
      // From a turn of its own, as from a socket: jest would take what is thrown behind its test for the test's.
      setImmediate(() => {
        give(() => ran.push('before'));
        give(() => {
          throw new Error('planted');
        });
        give(() => ran.push('after'));
      });
      await looks(6);
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of before) process.on('uncaughtException', listener);
    }
    expect(ran).toEqual(['before', 'after']);
    expect(faults).toEqual([new Error('planted')]);
  },
);
