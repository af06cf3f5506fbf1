import { createFlusher } from '../../../db/serving/flusher.ts';

/** Far away: these tests ask for each write themselves. */
const NEVER_MS = 3_600_000;

test('two who flush at once · what came meanwhile · is written once, one write at a time', async () => {
  let gathered = [1, 2];
  const written: number[][] = [];
  let underWay = 0;
  const { flush, stop } = createFlusher({
    everyMs: NEVER_MS,
    isEmpty: () => gathered.length === 0,
    write: async () => {
      const batch = gathered;
      gathered = [];
      underWay += 1;
      expect(underWay).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      written.push(batch);
      underWay -= 1;
    },
  });
  const first = flush();
  gathered.push(3);
  await Promise.all([first, flush(), flush()]);
  expect(written).toEqual([[1, 2], [3]]);
  stop();
});

test('nothing gathered · flushed · writes nothing', async () => {
  let writes = 0;
  const write = async (): Promise<void> => {
    writes += 1;
    await Promise.resolve();
  };
  const { flush, stop } = createFlusher({ everyMs: NEVER_MS, isEmpty: () => true, write });
  await flush();
  expect(writes).toBe(0);
  stop();
});

test('what could not be written · flushed again · is tried again', async () => {
  let left = 2;
  const { flush, stop } = createFlusher({
    everyMs: NEVER_MS,
    isEmpty: () => left === 0,
    write: async () => {
      left -= 1;
      await Promise.resolve();
    },
  });
  await flush();
  expect(left).toBe(1);
  await flush();
  expect(left).toBe(0);
  stop();
});
