import v8 from 'node:v8';
import { inSlices } from '../../db/in-slices.ts';
import { pause } from '../support/until.ts';

/** Turns of the event loop in which a piece of each work was done. */
async function turnsOf(works: number): Promise<number[]> {
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  const turns: number[] = [];
  function* work(): Generator<void, string> {
    for (let piece = 0; piece < 5; piece += 1) {
      turns.push(turn);
      yield;
    }
    return 'done';
  }
  // Each look at the clock finds that a slice's time is over.
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
  try {
    count();
    const results = await Promise.all(Array.from({ length: works }, () => inSlices(work())));
    expect(new Set(results)).toEqual(new Set(['done']));
  } finally {
    clock.mockRestore();
    isOver = true;
  }
  return turns;
}

test.each([1, 4])('%i long works at once · in slices · one goes on in each turn', async (works) => {
  const turns = await turnsOf(works);
  expect(turns).toHaveLength(works * 5);
  expect(new Set(turns).size).toBe(turns.length);
});

test('works one after another · in slices · have a turn each', async () => {
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  count();
  const turns: number[] = [];
  function* short(): Generator<void> {
    turns.push(turn);
    yield;
  }
  for (let at = 0; at < 4; at += 1) await inSlices(short());
  isOver = true;
  expect(new Set(turns).size).toBe(4);
});

test('a work that throws in a later slice · beside another · is refused alone', async () => {
  function* failing(): Generator<void> {
    yield;
    throw new Error('no more');
  }
  function* fine(): Generator<void, number> {
    for (let piece = 0; piece < 3; piece += 1) yield;
    return 3;
  }
  const results = await Promise.allSettled([inSlices(failing()), inSlices(fine())]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('a work that keeps much · in slices · leaves the collector little to copy at once', async () => {
  const kept: object[] = [];
  let most = 0;
  function* keeping(): Generator<void> {
    for (let round = 0; round < 400; round += 1) {
      for (let at = 0; at < 2_000; at += 1) kept.push({ round, at, beside: [round, at] });
      most = Math.max(most, youngBytes());
      // Works on what it made: a slice keeps less than one that makes alone.
      const until = performance.now() + 1;
      while (performance.now() < until);
      yield;
    }
  }
  await inSlices(keeping());
  expect(kept).toHaveLength(800_000);
  expect(most / 2 ** 20).toBeLessThan(12);
});

const youngBytes = (): number =>
  v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_used_size ??
  0;

test('a work beside turns that fill the young generation each · in slices · goes on all the same', async () => {
  const spaces = v8
    .getHeapSpaceStatistics()
    .map((space) => ({ ...space, space_used_size: 2 ** 30 }));
  const full = jest.spyOn(v8, 'getHeapSpaceStatistics').mockReturnValue(spaces);
  let isOver = false;
  function* work(): Generator<void, string> {
    for (let piece = 0; piece < 3; piece += 1) yield;
    return 'done';
  }
  const late = pause(2_000, 'the time that it may take at the most').then(() => {
    isOver = true;
    return 'waits';
  });
  try {
    expect([await Promise.race([inSlices(work()), late]), isOver]).toEqual(['done', false]);
  } finally {
    full.mockRestore();
  }
});
