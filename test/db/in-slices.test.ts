import { inSlices } from '../../db/in-slices.ts';

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
  // Each begins at once.
  const later = turns.slice(works);
  expect(new Set(later).size).toBe(later.length);
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
