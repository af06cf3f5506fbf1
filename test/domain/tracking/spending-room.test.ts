import fc from 'fast-check';
import {
  type BudgetScope,
  type Charge,
  createSpendingRoom,
  dayKey,
  type RoomFacts,
} from '../../../domain/tracking/spending-room.ts';

const DAY = '2026-01-31';
const charge: Charge = {
  advertiserId: 1,
  campaignId: 2,
  adGroupId: 3,
  day: DAY,
  priceNanos: 100n,
};

interface Sketch {
  balance?: bigint;
  campaignDay?: bigint | null;
  adGroupDay?: bigint | null;
  total?: bigint | null;
  spentDays?: [scope: BudgetScope, id: number, day: string, nanos: bigint][];
  spentTotal?: bigint;
}

const factsOf = (sketch: Sketch): RoomFacts => ({
  balances: new Map([[1, sketch.balance ?? 1_000_000n]]),
  dailyCaps: {
    campaign: new Map([[2, sketch.campaignDay ?? null]]),
    adgroup: new Map([[3, sketch.adGroupDay ?? null]]),
  },
  totalCaps: new Map([[2, sketch.total ?? null]]),
  spentDays: new Map(
    (sketch.spentDays ?? []).map(([scope, id, day, nanos]) => [dayKey(scope, id, day), nanos]),
  ),
  spentTotals: new Map([[2, sketch.spentTotal ?? 0n]]),
});
const roomOf = (sketch: Sketch = {}) => createSpendingRoom(factsOf(sketch));

const FREE = { overBudget: false, overBalance: false };
const OVER_BUDGET = { overBudget: true, overBalance: false };

describe('check', () => {
  test('a charge · no cap and enough balance · has room', () => {
    expect(roomOf().check(charge)).toEqual(FREE);
  });

  test.each<[string, Sketch, Sketch]>([
    ["the campaign's day", { campaignDay: 100n }, { campaignDay: 99n }],
    ["the ad group's day", { adGroupDay: 100n }, { adGroupDay: 99n }],
    ["the campaign's total", { total: 100n }, { total: 99n }],
    [
      'what the campaign spent before on the day',
      { campaignDay: 150n, spentDays: [['campaign', 2, DAY, 50n]] },
      { campaignDay: 150n, spentDays: [['campaign', 2, DAY, 51n]] },
    ],
    [
      'what the ad group spent before on the day',
      { adGroupDay: 150n, spentDays: [['adgroup', 3, DAY, 50n]] },
      { adGroupDay: 150n, spentDays: [['adgroup', 3, DAY, 51n]] },
    ],
    [
      'what the campaign spent before in all',
      { total: 150n, spentTotal: 50n },
      { total: 150n, spentTotal: 51n },
    ],
  ])('a charge · %s · fits to the last nano', (_name, fits, bursts) => {
    expect(roomOf(fits).check(charge)).toEqual(FREE);
    expect(roomOf(bursts).check(charge)).toEqual(OVER_BUDGET);
  });

  test('a charge · spent on another day, by another scope or id · has room', () => {
    const room = roomOf({
      campaignDay: 100n,
      adGroupDay: 100n,
      spentDays: [
        ['campaign', 2, '2026-01-30', 100n],
        ['campaign', 3, DAY, 100n],
        ['adgroup', 2, DAY, 100n],
      ],
    });
    expect(room.check(charge)).toEqual(FREE);
  });

  test('a charge · the balance · fits to the last nano', () => {
    expect(roomOf({ balance: 100n }).check(charge)).toEqual(FREE);
    expect(roomOf({ balance: 99n }).check(charge)).toEqual({
      overBudget: false,
      overBalance: true,
    });
  });

  test('a charge · an advertiser without an account · has no balance', () => {
    const stranger = { ...charge, advertiserId: 8 };
    expect(roomOf().check(stranger)).toMatchObject({ overBalance: true });
    expect(roomOf().balance(8)).toBe(0n);
  });

  test('a free event · a cap was lowered below what is spent · has room', () => {
    const room = roomOf({ balance: -1n, total: 10n, spentTotal: 11n });
    expect(room.check({ ...charge, priceNanos: 0n })).toEqual(FREE);
    expect(room.check({ ...charge, priceNanos: 1n })).toEqual({
      overBudget: true,
      overBalance: true,
    });
  });

  test('a charge · asked about only · takes nothing', () => {
    const room = roomOf({ balance: 100n });
    room.check(charge);
    expect(room.balance(1)).toBe(100n);
    expect(room.takenDays()).toEqual([]);
    expect(room.takenTotals()).toEqual([]);
  });
});

describe('take', () => {
  test('two charges · of one day · are told once per scope, with their caps', () => {
    const room = roomOf({ campaignDay: 900n, spentDays: [['campaign', 2, DAY, 50n]] });
    room.take(charge);
    room.take({ ...charge, priceNanos: 20n });
    expect(room.takenDays()).toEqual([
      { scope: 'campaign', id: 2, day: DAY, takenNanos: 120n, capNanos: 900n },
      { scope: 'adgroup', id: 3, day: DAY, takenNanos: 120n, capNanos: null },
    ]);
    expect(room.takenTotals()).toEqual([{ campaignId: 2, takenNanos: 120n, capNanos: null }]);
  });

  test('a charge · taken · is spent beside what was spent before', () => {
    const room = roomOf({
      balance: 1_000n,
      spentDays: [
        ['campaign', 2, DAY, 50n],
        ['adgroup', 3, DAY, 40n],
      ],
      spentTotal: 700n,
    });
    room.take(charge);
    expect(room.balance(1)).toBe(900n);
    expect(room.spentOn('campaign', 2, DAY)).toBe(150n);
    expect(room.spentOn('adgroup', 3, DAY)).toBe(140n);
    expect(room.spentOn('campaign', 2, '2026-02-01')).toBe(0n);
    expect(room.spentTotal(2)).toBe(800n);
  });

  test('charges · of two days · share the total and not the day', () => {
    const room = roomOf({ campaignDay: 100n, total: 150n });
    room.take(charge);
    const next = { ...charge, day: '2026-02-01' };
    expect(room.check({ ...charge, priceNanos: 1n })).toEqual(OVER_BUDGET);
    expect(room.check({ ...next, priceNanos: 50n })).toEqual(FREE);
    expect(room.check({ ...next, priceNanos: 51n })).toEqual(OVER_BUDGET);
  });

  test('charges · of two campaigns · share the balance of their advertiser', () => {
    const room = roomOf({ balance: 150n });
    room.take(charge);
    const other = { ...charge, campaignId: 20, adGroupId: 30 };
    expect(room.check({ ...other, priceNanos: 50n })).toEqual(FREE);
    expect(room.check({ ...other, priceNanos: 51n })).toMatchObject({ overBalance: true });
  });

  test('a free event · taken · leaves no trace', () => {
    const room = roomOf();
    room.take({ ...charge, priceNanos: 0n });
    expect(room.takenDays()).toEqual([]);
    expect(room.takenTotals()).toEqual([]);
  });
});

const amount = fc.bigInt({ min: 0n, max: 500n });
const cap = fc.option(amount);

test('room · any charges that passed the check · never leaves a cap or the balance behind', () => {
  fc.assert(
    fc.property(
      fc.record({ balance: amount, campaignDay: cap, adGroupDay: cap, total: cap }),
      fc.array(fc.record({ day: fc.constantFrom(DAY, '2026-02-01'), priceNanos: amount }), {
        maxLength: 15,
      }),
      (sketch, charges) => {
        const room = roomOf(sketch);
        let takenNanos = 0n;
        for (const part of charges) {
          const asked = { ...charge, ...part };
          const { overBudget, overBalance } = room.check(asked);
          if (overBudget || overBalance) continue;
          room.take(asked);
          takenNanos += asked.priceNanos;
        }
        expect(room.balance(1)).toBe(sketch.balance - takenNanos);
        expect(room.balance(1)).toBeGreaterThanOrEqual(0n);
        const taken = [...room.takenDays(), ...room.takenTotals()];
        for (const { takenNanos: nanos, capNanos } of taken) {
          expect(capNanos === null || nanos <= capNanos).toBe(true);
        }
        const total = room.takenTotals().reduce((sum, { takenNanos: nanos }) => sum + nanos, 0n);
        expect(total).toBe(takenNanos);
      },
    ),
  );
});
