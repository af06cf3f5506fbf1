import fc from 'fast-check';
import { DomainError } from '../../domain/errors.ts';
import {
  addDays,
  chooseRollup,
  ratesOf,
  readGroupBy,
  readRange,
  type ReportCounts,
  sumCounts,
} from '../../domain/report.ts';

const NOW = new Date('2026-11-21T01:30:00Z');

const fieldsOf = (run: () => unknown): string[] => {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) return (error.errors ?? []).map((each) => each.field);
    throw error;
  }
  return [];
};

describe('report range', () => {
  it('nothing asked · read · from 7 days ago until today, UTC', () => {
    expect(readRange({}, NOW)).toEqual({
      startDate: '2026-11-14',
      endDate: '2026-11-21',
      timezone: 'UTC',
    });
  });

  it.each([
    ['America/New_York', '2026-11-20'],
    ['Asia/Shanghai', '2026-11-21'],
    ['utc', '2026-11-21'],
  ])('time zone %s · today is read in it · %s', (timezone, endDate) => {
    expect(readRange({ timezone }, NOW).endDate).toBe(endDate);
  });

  it('only the end asked · read · seven days before it', () => {
    expect(readRange({ endDate: '2026-03-01' }, NOW).startDate).toBe('2026-02-22');
  });

  it.each([
    [{ startDate: '2026-11-02', endDate: '2026-11-01' }, ['end_date']],
    [{ startDate: '2024-01-01', endDate: '2026-11-01' }, ['start_date']],
    [{ timezone: 'Mars/Olympus' }, ['timezone']],
    [{ timezone: '+02:00' }, ['timezone']],
    [{ timezone: "UTC'; DROP TABLE" }, ['timezone']],
    [{ timezone: 'Asia/Kolkata' }, ['timezone']],
    [{ timezone: 'Asia/Kathmandu' }, ['timezone']],
  ])('%j · read · 422 on %j', (ask, fields) => {
    expect(fieldsOf(() => readRange(ask, NOW))).toEqual(fields);
  });

  it('a year · read · 366 days are allowed, 367 not', () => {
    const endDate = '2026-11-21';
    expect(fieldsOf(() => readRange({ startDate: addDays(endDate, -365), endDate }, NOW))).toEqual(
      [],
    );
    expect(fieldsOf(() => readRange({ startDate: addDays(endDate, -366), endDate }, NOW))).toEqual([
      'start_date',
    ]);
  });
});

describe('report grouping', () => {
  it.each([
    ['advertiser', 'date', 'ad_hours'],
    ['advertiser', 'campaign,ad,creative', 'ad_hours'],
    ['advertiser', 'date,hour', 'ad_hours'],
    ['advertiser', 'country', 'ad_traits'],
    ['advertiser', 'date,campaign,os', 'ad_traits'],
    ['publisher', 'site,zone', 'zone_hours'],
    ['publisher', 'zone,device,browser', 'zone_traits'],
  ] as const)('%s by %s · chosen · %s', (side, groupBy, rollup) => {
    const dimensions = readGroupBy(groupBy, side);
    expect(chooseRollup(side, { groupBy: dimensions, filter: {}, timezone: 'UTC' })).toBe(rollup);
  });

  it.each([
    ['advertiser', 'colour'],
    ['advertiser', 'site'],
    ['publisher', 'campaign'],
    ['advertiser', ''],
    ['advertiser', 'date,,ad'],
    ['advertiser', 'date,date'],
    ['advertiser', 'date,campaign,ad,creative'],
    ['advertiser', 'constructor'],
  ] as const)('%s by "%s" · read · 422 on group_by', (side, groupBy) => {
    expect(fieldsOf(() => readGroupBy(groupBy, side))).toEqual(['group_by']);
  });

  it.each([
    ['advertiser', ['ad', 'country'], {}],
    ['advertiser', ['hour', 'device'], {}],
    ['advertiser', ['country'], { adgroup: 1 }],
    ['publisher', ['hour', 'country'], {}],
  ] as const)('%s by %j of %j · counted nowhere together · 422', (side, groupBy, filter) => {
    const ask = { groupBy, filter, timezone: 'UTC' };
    expect(fieldsOf(() => chooseRollup(side, ask))).toEqual(['group_by']);
  });

  it('countries in another time zone · chosen · 422 on timezone', () => {
    const ask = { groupBy: ['country'] as const, filter: {}, timezone: 'Europe/Paris' };
    expect(fieldsOf(() => chooseRollup('advertiser', ask))).toEqual(['timezone']);
  });
});

describe('report arithmetic', () => {
  const counts: fc.Arbitrary<ReportCounts> = fc.record({
    requests: fc.nat(1e9),
    impressions: fc.nat(1e9),
    viewable: fc.nat(1e9),
    clicks: fc.nat(1e9),
    conversions: fc.nat(1e9),
    removed: fc.nat(1e9),
    moneyNanos: fc.bigInt(0n, 10n ** 18n),
  });

  it('any rows · summed in two parts · the sum of the sums', () => {
    fc.assert(
      fc.property(fc.array(counts), fc.array(counts), (left, right) => {
        const ways = { requests: true };
        const parts = [sumCounts(left, ways), sumCounts(right, ways)];
        expect(sumCounts(parts, ways)).toEqual(sumCounts([...left, ...right], ways));
      }),
    );
  });

  it('nothing · summed · zeroes, rates are zero and not NaN', () => {
    const none = sumCounts([], { requests: false });
    expect(none).toMatchObject({ requests: null, impressions: 0, moneyNanos: 0n });
    expect(ratesOf(none)).toEqual({ ctr: 0, cvr: 0, ecpmNanos: 0n });
  });

  it('known numbers · rated · as computed by hand', () => {
    const row = {
      ...sumCounts([], { requests: true }),
      impressions: 3_000,
      clicks: 10,
      conversions: 1,
      moneyNanos: 4_500_000_000n,
    };
    expect(ratesOf(row)).toEqual({ ctr: 0.003333, cvr: 0.1, ecpmNanos: 1_500_000_000n });
  });
});
