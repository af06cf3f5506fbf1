import { withinIn } from '../../../web/console/parts/duration.ts';

test.each([
  [45, '45 seconds'],
  [1_500, '25 minutes'],
  [1_501, '25.1 minutes'],
  [5_400, '1.5 hours'],
  [172_800, '2 days'],
])('%d seconds · said as a length of time · are %s', (seconds, said) => {
  expect(withinIn(seconds, 'en')).toBe(said);
});
