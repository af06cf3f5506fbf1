import { type DaySettings, reasonsOfDay, type SettingChange } from '../../domain/delivery-days.ts';

/** What a campaign's history says of a day of the past, and what it does not. */
const OPEN: DaySettings = { status: 'ACTIVE', startDate: null, endDate: null, weekdays: null };
// A Friday.
const DAY = '2026-11-20';

const changed = (at: string, field: string, before: unknown): SettingChange => ({
  at: new Date(at),
  field,
  before,
});

test.each<[string, Partial<DaySettings>, SettingChange[], string[]]>([
  ['open', {}, [], []],
  ['paused since before', { status: 'PAUSED' }, [], ['CAMPAIGN_PAUSED']],
  [
    'paused, and resumed a day later',
    {},
    [changed('2026-11-21T00:00:00Z', 'status', 'PAUSED')],
    ['CAMPAIGN_PAUSED'],
  ],
  ['resumed on that day', {}, [changed('2026-11-20T23:59:59.999Z', 'status', 'PAUSED')], []],
  [
    'paused on that day',
    { status: 'PAUSED' },
    [changed('2026-11-20T00:00:00Z', 'status', 'ACTIVE')],
    [],
  ],
  [
    'paused later, and archived',
    { status: 'ARCHIVED' },
    [
      changed('2026-11-21T10:00:00Z', 'status', 'ACTIVE'),
      changed('2026-11-22T10:00:00Z', 'status', 'PAUSED'),
    ],
    [],
  ],
  ['before its first day', { startDate: '2026-11-21' }, [], ['CAMPAIGN_NOT_STARTED']],
  ['on its first and last day', { startDate: DAY, endDate: DAY }, [], []],
  ['after its last day', { endDate: '2026-11-19' }, [], ['CAMPAIGN_ENDED']],
  [
    'after its last day, which was moved later',
    { endDate: '2026-12-31' },
    [changed('2026-11-25T08:00:00Z', 'end_date', '2026-11-19')],
    ['CAMPAIGN_ENDED'],
  ],
  ['not on Fridays', { weekdays: [1, 2, 3, 4, 6, 7] }, [], ['OUTSIDE_SCHEDULE']],
  ['on Fridays alone', { weekdays: [5] }, [], []],
  [
    'on every day, by what was changed before it',
    {},
    [changed('2026-11-19T08:00:00Z', 'weekdays', [1])],
    [],
  ],
])('%s', (_called, now, changes, reasons) => {
  expect(reasonsOfDay(DAY, { ...OPEN, ...now }, changes)).toEqual(reasons);
});
