import fc from 'fast-check';
import { elapsedShare, passesPacing, passShare } from '../../../domain/auction/pacing.ts';
import {
  NO_COUNTS,
  PRIOR_CTR_PPM,
  PRIOR_CVR_PPM,
  PRIOR_STRENGTH,
  PRIOR_VTR_PPM,
  smoothedRatePpm,
  yieldPpmOf,
} from '../../../domain/auction/rates.ts';
import { compileTargeting } from '../../../domain/auction/targeting.ts';
import { sketchCandidate, units } from '../../support/auction.ts';

const lists = {
  countries: null,
  devices: null,
  os: null,
  browsers: null,
  hours: null,
  weekdays: null,
};

describe('pacing', () => {
  test('curve · a whole day and a daypart · the share of allowed time', () => {
    const noon = new Date('2026-01-05T12:00:00Z');
    expect(elapsedShare(compileTargeting(lists), noon)).toBe(0.5);
    const evening = compileTargeting({ ...lists, hours: [10, 11, 12, 13] });
    expect(elapsedShare(evening, noon)).toBe(0.5);
    expect(elapsedShare(evening, new Date('2026-01-05T12:30:00Z'))).toBe(0.625);
    expect(elapsedShare(evening, new Date('2026-01-05T20:00:00Z'))).toBe(1);
  });

  test('gate · further ahead of the curve · passes less, never more', () => {
    fc.assert(
      fc.property(
        fc.nat(200),
        fc.nat(200),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, b, elapsed) => {
          const [less, more] = a < b ? [a, b] : [b, a];
          const share = (spent: number): number => passShare(units(spent), units(100), elapsed);
          expect(share(more)).toBeLessThanOrEqual(share(less));
          expect(share(less)).toBeGreaterThanOrEqual(0);
          expect(share(less)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  test('gate · half closed, many rolls · about half of the requests pass', () => {
    const candidate = sketchCandidate({ ad: 1, rotation: 'EVEN', dailyBudget: 100 });
    const now = new Date('2026-01-05T12:00:00Z');
    let passed = 0;
    for (let at = 0; at < 2_000; at += 1) {
      if (passesPacing(candidate, units(53), { now, roll: at / 2_000 })) passed += 1;
    }
    expect(passed).toBeGreaterThan(900);
    expect(passed).toBeLessThan(1_100);
  });
});

describe('rates', () => {
  test('smoothed rate · no evidence, then much · starts at the prior and follows the evidence', () => {
    const prior = { ratePpm: PRIOR_CTR_PPM, strength: PRIOR_STRENGTH.ctr };
    expect(smoothedRatePpm(0, 0, prior)).toBe(PRIOR_CTR_PPM);
    expect(smoothedRatePpm(50_000, 1_000_000, prior)).toBeGreaterThan(49_000);
    expect(smoothedRatePpm(0, 100_000_000, prior)).toBeGreaterThan(0);
  });

  test('yield · per model at the priors · units expected per thousand impressions', () => {
    expect(yieldPpmOf('CPM', NO_COUNTS)).toBe(1_000_000n);
    expect(yieldPpmOf('CPC', NO_COUNTS)).toBe(BigInt(PRIOR_CTR_PPM * 1_000));
    expect(yieldPpmOf('CPA', NO_COUNTS)).toBe(BigInt((PRIOR_CTR_PPM * PRIOR_CVR_PPM) / 1_000));
    expect(yieldPpmOf('CPV', NO_COUNTS)).toBe(BigInt(PRIOR_VTR_PPM * 1_000));
  });
});
