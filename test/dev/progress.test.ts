import { createProgress } from '../../dev/services/progress.ts';

const said: string[] = [];
const progress = createProgress((line) => said.push(line.replace(/^\[.*?\] /, '')));

beforeEach(() => {
  said.length = 0;
  jest.useFakeTimers();
});
afterEach(() => jest.useRealTimers());

/** What takes so long, to its end. */
async function lasting(ms: number): Promise<string> {
  let end: (made: string) => void = () => undefined;
  const making = new Promise<string>((resolve) => {
    end = resolve;
  });
  const running = progress.whenSlow('building the consoles', async () => await making);
  await jest.advanceTimersByTimeAsync(ms);
  end('built');
  return await running;
}

test('what is quick · is done without a word', async () => {
  expect(await lasting(2_900)).toBe('built');
  expect(said).toEqual([]);
});

test('what is slow this time · is told as soon as somebody would wonder, and again', async () => {
  expect(await lasting(24_000)).toBe('built');
  expect(said).toEqual([
    'building the consoles (3 s so far) …',
    'building the consoles (23 s so far) …',
  ]);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(said).toHaveLength(2);
});

test('what fails · is not told of any more', async () => {
  const failing = progress.whenSlow(
    'building the consoles',
    async () => await Promise.reject(new Error('no room')),
  );
  await expect(failing).rejects.toThrow('no room');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(said).toEqual([]);
});
