import { kept } from '../../api/kept.ts';

function reading({ fails = false } = {}) {
  let now = 0;
  let count = 0;
  const ends: (() => void)[] = [];
  const ask = kept({ forMs: 1_000, clock: () => new Date(now) }, async () => {
    count += 1;
    const mine = count;
    await new Promise<void>((resolve) => ends.push(resolve));
    if (fails && mine === 1) throw new Error('away');
    return mine;
  });
  return {
    ask,
    count: () => count,
    end: () => ends.shift()?.(),
    to: (at: number) => {
      now = at;
    },
  };
}

test('many · ask at once · share one reading until it is old', async () => {
  const { ask, count, end, to } = reading();
  const first = [ask(), ask(), ask()];
  expect(count()).toBe(1);
  end();
  expect(await Promise.all(first)).toEqual([1, 1, 1]);
  to(999);
  expect(await ask()).toBe(1);
  to(1_000);
  const later = [ask(), ask()];
  expect(count()).toBe(2);
  end();
  expect(await Promise.all(later)).toEqual([2, 2]);
});

test('a reading · that failed · is not kept', async () => {
  const { ask, end } = reading({ fails: true });
  const failing = ask();
  end();
  await expect(failing).rejects.toThrow('away');
  const again = ask();
  end();
  expect(await again).toBe(2);
});
