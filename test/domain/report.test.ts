import fc from 'fast-check';
import { DomainError } from '../../domain/errors.ts';
import { ratesOf, type ReportCounts, sumCounts } from '../../domain/report-counts.ts';
import { addDays, planReport, readGroupBy, readRange, requireKept } from '../../domain/report.ts';

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

  it.each(['Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Eucla', 'America/St_Johns'])(
    'time zone %s · off by a part of an hour · taken',
    (timezone) => {
      expect(readRange({ timezone }, NOW).timezone).not.toBe('UTC');
    },
  );

  it('only the end asked · read · seven days before it', () => {
    expect(readRange({ endDate: '2026-03-01' }, NOW).startDate).toBe('2026-02-22');
  });

  it.each([
    [{ startDate: '2026-11-02', endDate: '2026-11-01' }, ['end_date']],
    [{ startDate: '2024-01-01', endDate: '2026-11-01' }, ['start_date']],
    [{ timezone: 'Mars/Olympus' }, ['timezone']],
    [{ timezone: '+02:00' }, ['timezone']],
    [{ timezone: "UTC'; DROP TABLE" }, ['timezone']],
    [{ endDate: '9999-12-31' }, ['end_date']],
    [{ timezone: 'Africa/Monrovia', endDate: '1970-02-01' }, ['timezone']],
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

const at = (text: string): Date => new Date(text);
const WEEK = { from: at('2026-11-14T00:00:00Z'), to: at('2026-11-21T00:00:00Z') };

describe('report plan', () => {
  it.each([
    ['advertiser', 'date', 'ad_hours'],
    ['advertiser', 'campaign,ad,creative', 'ad_hours'],
    ['advertiser', 'date,hour', 'ad_hours'],
    ['advertiser', 'country', 'ad_traits'],
    ['advertiser', 'date,campaign,os', 'ad_traits'],
    ['advertiser', 'ad,country', 'ad_events'],
    ['advertiser', 'site', 'ad_events'],
    ['advertiser', 'hour,device', 'ad_events'],
    ['publisher', 'site,zone', 'zone_hours'],
    ['publisher', 'zone,device,browser', 'zone_traits'],
    ['publisher', 'hour,country', 'zone_events'],
  ] as const)('%s by %s · UTC days · all from %s', (side, groupBy, source) => {
    const ask = { groupBy: readGroupBy(groupBy, side), filter: {}, timezone: 'UTC' };
    expect(planReport(side, ask, WEEK)).toEqual([{ source, ...WEEK }]);
  });

  it('a filter that no rollup of viewers knows · by country · from the events', () => {
    const ask = { groupBy: ['country'] as const, filter: { adgroup: 1 }, timezone: 'UTC' };
    expect(planReport('advertiser', ask, WEEK)).toEqual([{ source: 'ad_events', ...WEEK }]);
  });

  it('days of another zone · by ad · quarters of an hour, no event is read', () => {
    const ask = { groupBy: ['ad'] as const, filter: {}, timezone: 'Asia/Kathmandu' };
    expect(planReport('advertiser', ask, WEEK).map(({ source }) => source)).toEqual(['ad_hours']);
  });

  it('days of another zone · by country · whole UTC days inside, events at both ends', () => {
    const days = { from: at('2026-11-13T18:30:00Z'), to: at('2026-11-20T18:30:00Z') };
    const ask = { groupBy: ['country'] as const, filter: {}, timezone: 'Asia/Kolkata' };
    expect(planReport('advertiser', ask, days)).toEqual([
      { source: 'ad_events', from: days.from, to: at('2026-11-14T00:00:00Z') },
      { source: 'ad_traits', from: at('2026-11-14T00:00:00Z'), to: at('2026-11-20T00:00:00Z') },
      { source: 'ad_events', from: at('2026-11-20T00:00:00Z'), to: days.to },
    ]);
  });

  it('days of another zone · by date and country, or one day only · all from the events', () => {
    const days = { from: at('2026-11-13T18:30:00Z'), to: at('2026-11-14T18:30:00Z') };
    const ask = { filter: {}, timezone: 'Asia/Kolkata' };
    for (const groupBy of [['date', 'country'] as const, ['country'] as const]) {
      expect(planReport('publisher', { ...ask, groupBy }, days)).toEqual([
        { source: 'zone_events', ...days },
      ]);
    }
  });

  it.each([
    ['advertiser', 'colour'],
    ['publisher', 'campaign'],
    ['advertiser', ''],
    ['advertiser', 'date,,ad'],
    ['advertiser', 'date,date'],
    ['advertiser', 'date,campaign,ad,creative'],
    ['advertiser', 'constructor'],
  ] as const)('%s by "%s" · read · 422 on group_by', (side, groupBy) => {
    expect(fieldsOf(() => readGroupBy(groupBy, side))).toEqual(['group_by']);
  });

  it('events older than they are kept · needed, not needed · 422 on start_date, nothing', () => {
    const now = at('2027-03-01T00:00:00Z');
    const from = (source: 'ad_events' | 'ad_hours') => [{ source, ...WEEK }];
    expect(fieldsOf(() => requireKept(from('ad_events'), now))).toEqual(['start_date']);
    expect(fieldsOf(() => requireKept(from('ad_events'), at('2027-02-12T00:00:00Z')))).toEqual([]);
    expect(fieldsOf(() => requireKept(from('ad_hours'), now))).toEqual([]);
  });
});

describe('report arithmetic', () => {
  const held = fc.record({
    conversions: fc.nat(1e9),
    moneyNanos: fc.bigInt(0n, 10n ** 18n),
  });
  const counts: fc.Arbitrary<ReportCounts> = fc.record({
    held: fc.record({ pending: held, approved: held, rejected: held }),
    requests: fc.nat(1e9),
    impressions: fc.nat(1e9),
    viewable: fc.nat(1e9),
    views: fc.nat(1e9),
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
