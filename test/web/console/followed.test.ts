import { followed } from '../../../web/console/parts/followed-timeline.ts';

type Asked = Parameters<typeof followed.refetchInterval>[0]['state']['data'];

const askedAfter = (...steps: string[]): false | number =>
  followed.refetchInterval({
    state: { data: { timeline: steps.map((step) => ({ step })) } as unknown as Asked },
  });

test('a timeline · that has nothing yet, or waits · is asked for again; one that has ended is not', () => {
  expect(followed.refetchInterval({ state: { data: undefined } })).toBe(5_000);
  // Its task is there a moment after it was submitted.
  expect(askedAfter()).toBe(5_000);
  expect(askedAfter('submitted')).toBe(5_000);
  expect(askedAfter('submitted', 'decision')).toBe(5_000);
  expect(askedAfter('submitted', 'decision', 'ended')).toBe(false);
});
