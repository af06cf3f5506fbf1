import fc from 'fast-check';
import { oddHours } from '../../domain/clock-change.ts';

test.each([
  ['back', 'Europe/Berlin', '2026-10-25', [[2, 120]]],
  ['forward', 'Europe/Berlin', '2026-03-29', [[2, 0]]],
  ['back, west of UTC', 'America/New_York', '2026-11-01', [[1, 120]]],
  ['forward, west of UTC', 'America/New_York', '2026-03-08', [[2, 0]]],
  ['back by half an hour', 'Australia/Lord_Howe', '2026-04-05', [[1, 90]]],
  ['forward by half an hour', 'Australia/Lord_Howe', '2026-10-04', [[2, 30]]],
  ['forward at midnight', 'Asia/Beirut', '2026-03-29', [[0, 0]]],
  ['back at midnight', 'Asia/Beirut', '2026-10-24', [[23, 120]]],
  ['far ahead of UTC', 'Pacific/Auckland', '2026-04-05', [[2, 120]]],
  [
    'in a zone off by three quarters',
    'Pacific/Chatham',
    '2026-09-27',
    [
      [2, 45],
      [3, 15],
    ],
  ],
  ['not at all', 'Europe/Berlin', '2026-10-24', []],
  ['the day left out as a whole', 'Pacific/Apia', '2011-12-30', []],
])('the odd hours of a day · the clocks go %s, in %s on %s', (_what, zone, day, hours) => {
  expect(oddHours(zone, day, day)).toEqual(
    hours.map(([hour, minutes]) => ({ day, hour, minutes })),
  );
});

test('the odd hours of a day · of a year with both changes · both, in their order', () => {
  expect(oddHours('Europe/Berlin', '2026-01-01', '2026-12-31')).toEqual([
    { day: '2026-03-29', hour: 2, minutes: 0 },
    { day: '2026-10-25', hour: 2, minutes: 120 },
  ]);
});

test('the odd hours of a day · in zones whose clocks are never changed · none', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('UTC', 'Asia/Shanghai', 'Asia/Kathmandu', 'Pacific/Kiritimati'),
      fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
      (zone, at) => {
        const day = at.toISOString().slice(0, 10);
        expect(oddHours(zone, day, day)).toEqual([]);
      },
    ),
  );
});
