import { FairQueue } from '../../../db/serving/fair-queue.ts';

const idsOf = (batch: readonly (readonly [number, string])[]): number[] => batch.map(([id]) => id);

test('one owner alone · may fill the queue · and no more', () => {
  const queue = new FairQueue<string, string>(4);
  const taken = [1, 2, 3, 4, 5].map((id) => queue.add('a', [id, 'x']).isIn);
  expect(taken).toEqual([true, true, true, true, false]);
  expect(queue.size).toBe(4);
});

test('a full queue · another owner comes · gets an equal part of it, the oldest of the largest go', () => {
  const queue = new FairQueue<string, string>(4);
  for (const id of [1, 2, 3, 4]) queue.add('a', [id, 'x']);
  expect(queue.add('b', [10, 'x'])).toEqual({ isIn: true, displaced: 1 });
  expect(queue.add('b', [11, 'x'])).toEqual({ isIn: true, displaced: 2 });
  expect(queue.add('b', [12, 'x'])).toEqual({ isIn: false });
  expect(queue.add('a', [5, 'x'])).toEqual({ isIn: false });
  expect(queue.size).toBe(4);
});

test('more owners than places · what they bring · stays out, and nobody’s last one goes', () => {
  const queue = new FairQueue<number, string>(2);
  expect(queue.add(1, [1, 'x']).isIn).toBe(true);
  expect(queue.add(2, [2, 'x']).isIn).toBe(true);
  expect(queue.add(3, [3, 'x'])).toEqual({ isIn: false });
  expect(idsOf(queue.inTurn(9))).toEqual([1, 2]);
});

test('owners of many and of few · taken from in turns · who had a turn goes behind the others', () => {
  const queue = new FairQueue<string, string>(10);
  for (const id of [1, 2, 3]) queue.add('a', [id, 'x']);
  queue.add('b', [10, 'x']);
  queue.add('c', [20, 'x']);
  expect(idsOf(queue.inTurn(4))).toEqual([1, 10, 20, 2]);
  queue.remove(new Set([1]));
  expect(idsOf(queue.inTurn(2))).toEqual([10, 20]);
  queue.remove(new Set([10, 20]));
  expect(idsOf(queue.inTurn(9))).toEqual([2, 3]);
  expect(queue.size).toBe(2);
});

test('what waits already · added again · is there once', () => {
  const queue = new FairQueue<string, string>(4);
  queue.add('a', [1, 'x']);
  expect(queue.add('a', [1, 'x'])).toEqual({ isIn: true });
  expect(queue.size).toBe(1);
});
