import fc from 'fast-check';
import {
  payoutAmounts,
  payoutFaults,
  type PayoutTerms,
  payoutTerms,
} from '../../domain/payout-terms.ts';
import { PAYOUT_CHANNELS } from '../../domain/lifecycle/withdrawal.ts';
import { settingsFrom } from '../../domain/settings.ts';

const UNIT = 1_000_000_000n;
const CENT = UNIT / 100n;

const terms = (overrides: Partial<PayoutTerms> = {}): PayoutTerms => ({
  channel: 'BANK',
  minimumNanos: 100n * UNIT,
  feeFixedNanos: 0n,
  feePpm: 0,
  taxPpm: 0,
  minorNanos: CENT,
  ...overrides,
});

describe('payoutAmounts', () => {
  test.each([
    ['nothing is taken', {}, 100n * UNIT, 0n, 0n],
    ['a fixed fee', { feeFixedNanos: 5n * UNIT }, 100n * UNIT, 5n * UNIT, 0n],
    ['a share and a tax', { feePpm: 20_000, taxPpm: 100_000 }, 100n * UNIT, 2n * UNIT, 10n * UNIT],
    ['half a cent · goes up', { feePpm: 50 }, 100n * UNIT, CENT, 0n],
    ['less than half a cent · falls', { feePpm: 49 }, 100n * UNIT, 0n, 0n],
    [
      'a token channel · six decimals',
      { feePpm: 1, minorNanos: 1_000n },
      100n * UNIT,
      100_000n,
      0n,
    ],
  ] as const)(
    '%s · rounded to the channel · arrival is the rest',
    (_name, given, amount, fee, tax) => {
      expect(payoutAmounts(amount, terms(given))).toEqual({
        amountNanos: amount,
        feeNanos: fee,
        taxNanos: tax,
        arrivalNanos: amount - fee - tax,
      });
    },
  );

  it('any terms and amount · always · the parts add up and each is payable', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 9_000_000n * 100n }),
        fc.integer({ min: 0, max: 500_000 }),
        fc.integer({ min: 0, max: 500_000 }),
        fc.bigInt({ min: 0n, max: 1_000n }),
        (cents, feePpm, taxPpm, feeCents) => {
          const given = terms({ feePpm, taxPpm, feeFixedNanos: feeCents * CENT });
          const { amountNanos, feeNanos, taxNanos, arrivalNanos } = payoutAmounts(
            cents * CENT,
            given,
          );
          expect(feeNanos + taxNanos + arrivalNanos).toBe(amountNanos);
          expect([feeNanos % CENT, taxNanos % CENT, arrivalNanos % CENT]).toEqual([0n, 0n, 0n]);
        },
      ),
    );
  });
});

describe('payoutFaults', () => {
  test.each([
    ['the minimum', 100n * UNIT, {}, undefined],
    ['a nano below it', 100n * UNIT - 1n, {}, 'min'],
    ['nothing', 0n, { minimumNanos: 0n }, 'min'],
    ['half a cent more', 100n * UNIT + CENT / 2n, {}, 'step'],
    ['all of it goes in fees', 100n * UNIT, { feeFixedNanos: 100n * UNIT }, 'min'],
  ] as const)('%s · asked for · %p', (_name, amount, given, code) => {
    const set = terms(given);
    expect(payoutFaults(payoutAmounts(amount, set), set)[0]?.code).toBe(code);
  });
});

test('payoutTerms · with the settings nobody changed · the minimums of interface 4.12', () => {
  const settings = settingsFrom([]);
  const minimums = PAYOUT_CHANNELS.map(
    (channel) => payoutTerms(settings, channel).minimumNanos / UNIT,
  );
  expect(minimums).toEqual([100n, 20n, 10n, 10n]);
});
