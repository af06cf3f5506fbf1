import fc from 'fast-check';
import {
  ADJUSTMENT_ENTRIES_MAX,
  applyBidAdjustments,
  type BidAdjustments,
  effectiveAdjustments,
  normaliseBidAdjustments,
} from '../../../domain/auction/bid-adjustments.ts';

function saved(input: unknown): BidAdjustments | null {
  const result = normaliseBidAdjustments(input);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.adjustments;
}

function faults(input: unknown): string[] {
  const result = normaliseBidAdjustments(input);
  return result.ok ? [] : result.errors.map((error) => `${error.field} ${error.code}`);
}

const traits = { device: 'MOBILE', country: 'US', os: 'IOS' };

describe('bid adjustments · normalised on save', () => {
  test.each([
    ['nothing sent', undefined, null],
    ['null', null, null],
    ['an empty object', {}, null],
    ['empty dimensions', { device: {}, geo: null }, null],
    ['lower-case values', { geo: { us: 20 } }, { geo: { US: 20 } }],
    ['spaces around a value', { os: { ' ios ': 5 } }, { os: { IOS: 5 } }],
    ['below the range', { device: { mobile: -100 } }, { device: { MOBILE: -90 } }],
    ['above the range', { device: { mobile: 501 } }, { device: { MOBILE: 500 } }],
    ['the ends of the range', { os: { A: -90, B: 500 } }, { os: { A: -90, B: 500 } }],
    ['zero', { geo: { US: 0, DE: 10 } }, { geo: { DE: 10 } }],
    ['only zeros', { geo: { US: 0 }, os: { IOS: '0' } }, null],
    ['a number as text', { geo: { US: '15.5' } }, { geo: { US: 15.5 } }],
    ['unparseable values', { geo: { A: 'x', B: '', C: null, D: true, E: [], F: {} } }, null],
    ['not finite', { geo: { US: Number.POSITIVE_INFINITY, DE: Number.NaN } }, null],
    ['an empty value', { geo: { '': 10 } }, null],
    ['two spellings of one value', { os: { ios: 10, IOS: 20 } }, { os: { IOS: 20 } }],
  ])('%s · is stored as expected', (_name, input, expected) => {
    expect(JSON.parse(JSON.stringify(saved(input)))).toEqual(expected);
  });

  test.each([
    [
      'an unknown dimension',
      { browser: { CHROME: 10 } },
      ['bid_adjustments.browser unknown_field'],
    ],
    [
      'a dimension in other case',
      { Device: { MOBILE: 1 } },
      ['bid_adjustments.Device unknown_field'],
    ],
    ['an array', [1], ['bid_adjustments type']],
    ['text', 'mobile', ['bid_adjustments type']],
    [
      'several faults at once',
      { device: 5, geo: [], site: {} },
      [
        'bid_adjustments.device type',
        'bid_adjustments.geo type',
        'bid_adjustments.site unknown_field',
      ],
    ],
    [
      'a very long value',
      { geo: { ['x'.repeat(65)]: 1 } },
      [`bid_adjustments.geo.${'x'.repeat(64)} max`],
    ],
    [
      'too many entries',
      {
        geo: Object.fromEntries(
          Array.from({ length: ADJUSTMENT_ENTRIES_MAX + 1 }, (_, i) => [`V${i}`, 1]),
        ),
      },
      ['bid_adjustments.geo max'],
    ],
  ])('%s · is refused with its field', (_name, input, expected) => {
    expect(faults(input)).toEqual(expected);
  });

  test('names of the object prototype · in a body · are data or refused, never a prototype', () => {
    expect(faults(JSON.parse('{"__proto__": {"US": 10}}'))).toEqual([
      'bid_adjustments.__proto__ unknown_field',
    ]);
    const stored = saved(JSON.parse('{"geo": {"__proto__": 50, "constructor": 40, "US": 10}}'));
    expect(JSON.stringify(stored)).toBe('{"geo":{"__PROTO__":50,"CONSTRUCTOR":40,"US":10}}');
    expect(({} as Record<string, unknown>)['US']).toBeUndefined();
    expect(applyBidAdjustments(100n, { geo: { US: 10 } }, { ...traits, country: 'toString' })).toBe(
      100n,
    );
  });

  const anything = fc.oneof(
    fc.anything(),
    fc.record(
      {
        device: fc.dictionary(
          fc.string(),
          fc.oneof(fc.double(), fc.integer(), fc.string(), fc.anything()),
        ),
        geo: fc.dictionary(fc.string({ maxLength: 3 }), fc.double()),
        os: fc.dictionary(fc.string(), fc.integer({ min: -1000, max: 1000 })),
      },
      { requiredKeys: [] },
    ),
  );

  test('any input · normalised twice · is the same as once, within bounds and without zeros', () => {
    fc.assert(
      fc.property(anything, (input) => {
        const first = normaliseBidAdjustments(input);
        if (!first.ok) return first.errors.length > 0;
        expect(normaliseBidAdjustments(first.adjustments)).toEqual(first);
        for (const entries of Object.values(first.adjustments ?? {}) as Record<string, number>[]) {
          expect(Object.keys(entries).length).toBeGreaterThan(0);
          for (const [value, percent] of Object.entries(entries)) {
            expect(value).toBe(value.toUpperCase());
            expect(percent).not.toBe(0);
            expect(percent).toBeGreaterThanOrEqual(-90);
            expect(percent).toBeLessThanOrEqual(500);
          }
        }
        return true;
      }),
    );
  });
});

describe('bid adjustments · applied on serve', () => {
  test.each<[string, bigint, BidAdjustments | null, bigint]>([
    ['no adjustments', 1_000n, null, 1_000n],
    ['nothing matches', 1_000n, { geo: { DE: 50 } }, 1_000n],
    ['one match', 1_000n, { geo: { US: 50 } }, 1_500n],
    [
      'three matches are summed',
      1_000n,
      { device: { MOBILE: 10 }, geo: { US: 20 }, os: { IOS: -5 } },
      1_250n,
    ],
    ['two times -60 % is 0, not 16 %', 1_000n, { device: { MOBILE: -60 }, geo: { US: -60 } }, 0n],
    [
      'sum before clamp: -90 -90 +100',
      1_000n,
      { device: { MOBILE: -90 }, geo: { US: -90 }, os: { IOS: 100 } },
      200n,
    ],
    ['floored to a nano', 999n, { geo: { US: -50 } }, 499n],
    ['a fraction of a percent', 1_000_000n, { geo: { US: 0.0001 } }, 1_000_001n],
    ['a bid of 0 stays 0', 0n, { geo: { US: 500 } }, 0n],
  ])('%s · gives the expected bid', (_name, base, adjustments, expected) => {
    expect(applyBidAdjustments(base, adjustments, traits)).toBe(expected);
  });

  test('an unknown country · matches no geo entry', () => {
    expect(applyBidAdjustments(100n, { geo: { NULL: 50 } }, { ...traits, country: null })).toBe(
      100n,
    );
  });

  const percent = fc.integer({ min: -90, max: 500 });

  test('any base and percents · equal max(0, floor(base × (100 + Σ) / 100))', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 9_000_000_000_000_000n }),
        fc.tuple(percent, percent, percent),
        (base, [device, geo, os]) => {
          const sum = BigInt(100 + device + geo + os);
          const adjustments = { device: { MOBILE: device }, geo: { US: geo }, os: { IOS: os } };
          const expected = sum <= 0n ? 0n : (base * sum) / 100n;
          expect(applyBidAdjustments(base, adjustments, traits)).toBe(expected);
        },
      ),
    );
  });
});

describe('bid adjustments · campaign and ad group', () => {
  test('an ad group with its own · overrides the campaign all or nothing', () => {
    const campaign = { geo: { US: 10 }, os: { IOS: 20 } };
    expect(effectiveAdjustments(campaign, { device: { MOBILE: 5 } })).toEqual({
      device: { MOBILE: 5 },
    });
    expect(effectiveAdjustments(campaign, null)).toBe(campaign);
    expect(effectiveAdjustments(null, null)).toBeNull();
  });
});
