import { type OpenZones, type Shown, zoneReach } from '../../domain/zone-reach.ts';

const group = (fields: Partial<OpenZones>): OpenZones => ({
  type: 'BANNER',
  width: 300,
  height: 250,
  pricingTypes: 'CPC,CPM',
  floorPriceCpcNanos: 0n,
  floorPriceCpmNanos: 5n,
  zones: 1,
  ...fields,
});
const picture = { display: 'IMAGE', width: 300, height: 250 } as const;
const shown = (fields: Partial<Shown> = {}): Shown => ({
  adType: 'BANNER',
  pricingModel: 'CPM',
  bidNanos: 5n,
  creatives: [picture],
  ...fields,
});

const OPEN = [
  group({ zones: 4 }),
  group({ zones: 2, floorPriceCpmNanos: 6n }),
  group({ zones: 3, pricingTypes: 'CPC' }),
  group({ zones: 5, width: 320, height: 50 }),
  group({ zones: 1, width: 320, height: 50, floorPriceCpmNanos: 6n }),
  group({ zones: 2, width: 728, height: 90 }),
  group({ zones: 9, width: 160, height: 600, pricingTypes: 'CPC' }),
  group({ zones: 7, type: 'VIDEO', width: 0, height: 0 }),
];

test('open zones · each rule of the auction after the other · leaves what the next one is asked of', () => {
  expect(zoneReach(shown(), OPEN)).toEqual({
    open: 33,
    ofKind: 26,
    ofSize: 9,
    ofPricing: 6,
    atPrice: 4,
    // Of zones that sell otherwise, another size would win nothing.
    missingSizes: [
      { width: 320, height: 50, zones: 6 },
      { width: 728, height: 90, zones: 2 },
    ],
  });
});

test.each([
  [
    'a second creative · of another size',
    { creatives: [picture, { ...picture, width: 320, height: 50 }] },
    15,
  ],
  ['a creative · without a size', { creatives: [{ ...picture, width: null, height: null }] }, 26],
  ['a responsive campaign · of a picture', { adType: 'RESPONSIVE' }, 26],
  [
    'a video · in a campaign of banners',
    { creatives: [{ ...picture, display: 'VIDEO' as const }] },
    0,
  ],
  ['no creative yet', { creatives: [] }, 26],
])('%s · is held to zones as the auction holds it', (_what, fields, ofSize) => {
  expect(zoneReach(shown(fields), OPEN).ofSize).toBe(ofSize);
});

test('a bid for clicks · floors of impressions above it · is held to those of clicks', () => {
  expect(zoneReach(shown({ pricingModel: 'CPC', bidNanos: 0n }), OPEN)).toMatchObject({
    ofPricing: 9,
    atPrice: 9,
  });
});

test.each(['CPA', 'CPS', 'CPV'])(
  '%s · the price of an impression is learned · no floor is compared',
  (pricingModel) => {
    expect(zoneReach(shown({ pricingModel }), OPEN).atPrice).toBeNull();
  },
);

test('nothing is open · every number · is 0', () => {
  expect(zoneReach(shown(), [])).toEqual({
    open: 0,
    ofKind: 0,
    ofSize: 0,
    ofPricing: 0,
    atPrice: 0,
    missingSizes: [],
  });
});
