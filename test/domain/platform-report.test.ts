import { DomainError } from '../../domain/errors.ts';
import {
  type PlatformCounts,
  planPlatformReport,
  platformRates,
  sumPlatform,
} from '../../domain/platform-report.ts';

const plan = (text: string, filter = {}, timezone = 'UTC') =>
  planPlatformReport(text, { filter, timezone });

const faultOf = (run: () => unknown): string | undefined => {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) {
      return error.errors?.map(({ field, code }) => `${field} ${code}`).join();
    }
    throw error;
  }
  return undefined;
};

const COUNTS: PlatformCounts = {
  requests: 200,
  filled: 150,
  impressions: 100,
  viewable: 60,
  views: 0,
  clicks: 4,
  conversions: 1,
  removed: 7,
  spendNanos: 5_000_000_001n,
  publisherNanos: 3_500_000_000n,
};

describe('what an operator asks of the platform', () => {
  it.each([
    ['date', ['ads', 'zones'], 'hours'],
    ['date, HOUR', ['ads', 'zones'], 'hours'],
    ['advertiser,campaign', ['ads'], 'hours'],
    ['publisher,site,zone', ['zones'], 'hours'],
    ['country,device', ['ads', 'zones'], 'traits'],
    ['campaign,browser', ['ads'], 'traits'],
  ])('by %s · planned · from %s, by %s', (text, sides, rollup) => {
    expect(plan(text)).toMatchObject({ sides, rollup });
  });

  it('of one account · planned · from the side that knows it', () => {
    expect(plan('date', { advertiser: 7 }).sides).toEqual(['ads']);
    expect(plan('date', { publisher: 7 }).sides).toEqual(['zones']);
  });

  it.each([
    ['nonsense', {}, 'UTC', 'group_by one_of'],
    ['date,date', {}, 'UTC', 'group_by max'],
    ['date,advertiser,campaign,country', {}, 'UTC', 'group_by max'],
    ['advertiser,publisher', {}, 'UTC', 'group_by together'],
    ['campaign', { publisher: 7 }, 'UTC', 'group_by together'],
    ['date', { advertiser: 7, publisher: 8 }, 'UTC', 'group_by together'],
    ['hour,country', {}, 'UTC', 'group_by together'],
    ['country', {}, 'Asia/Shanghai', 'timezone utc'],
  ])('by %s of %p in %s · planned · refused for %s', (text, filter, timezone, fault) => {
    expect(faultOf(() => plan(text, filter, timezone))).toBe(fault);
  });

  it('both sides are counted · rates · the margin is what publishers do not earn, to the nano', () => {
    expect(platformRates(COUNTS)).toEqual({
      fillRate: 0.75,
      ctr: 0.04,
      cvr: 0.25,
      marginNanos: 1_500_000_001n,
      ecpmNanos: 50_000_000_010n,
    });
  });

  it('one side is not counted · rates · what hangs on it is not known, and not 0', () => {
    const ofAds = { ...COUNTS, requests: null, filled: null, publisherNanos: null };
    expect(platformRates(ofAds)).toMatchObject({ fillRate: null, marginNanos: null });
    const ofZones = { ...COUNTS, spendNanos: null };
    expect(platformRates(ofZones)).toMatchObject({ marginNanos: null, ecpmNanos: null });
  });

  it('nothing happened · summed · none of what is counted, null of what is not', () => {
    expect(sumPlatform([], plan('advertiser'))).toMatchObject({
      requests: null,
      impressions: 0,
      spendNanos: 0n,
      publisherNanos: null,
    });
    expect(platformRates(sumPlatform([], plan('date')))).toEqual({
      fillRate: 0,
      ctr: 0,
      cvr: 0,
      marginNanos: 0n,
      ecpmNanos: 0n,
    });
  });
});
