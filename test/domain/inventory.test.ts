import { COUNTRIES } from '../../domain/countries.ts';
import {
  creativeFaults,
  type CreativeSources,
  missingSource,
} from '../../domain/creative/sources.ts';
import {
  campaignFaults,
  CREATIVE_TYPES,
  type CreativeType,
  displayTypeOf,
  scheduleFaults,
} from '../../domain/inventory.ts';

const none: CreativeSources = {
  imageMediaId: null,
  imageMediaId2: null,
  videoMediaId: null,
  html5MediaId: null,
  htmlCode: null,
  vastXml: null,
  vastUrl: null,
};
const SOURCE: Record<CreativeType, Partial<CreativeSources>> = {
  image: { imageMediaId: 1 },
  native: { imageMediaId: 1, imageMediaId2: 2 },
  text: {},
  html: { htmlCode: 'x' },
  html5: { html5MediaId: 1, imageMediaId: 2 },
  rich_media: { htmlCode: 'x', imageMediaId: 1 },
  video: { videoMediaId: 1, imageMediaId: 2 },
  vast: { vastXml: 'x' },
};
const faultsOf = (type: CreativeType, sources: Partial<CreativeSources>): string[] =>
  creativeFaults(type, displayTypeOf(type), { ...none, ...sources }).map(
    (fault) => `${fault.field} ${fault.code}`,
  );

describe('creative · sources', () => {
  test.each(CREATIVE_TYPES)('type %s · with its own source only · is accepted', (type) => {
    expect(faultsOf(type, SOURCE[type])).toEqual([]);
  });

  test.each(CREATIVE_TYPES)('type %s · with every source at once · is refused', (type) => {
    const all = {
      imageMediaId: 1,
      imageMediaId2: 1,
      videoMediaId: 1,
      html5MediaId: 1,
      htmlCode: 'x',
      vastXml: 'x',
      vastUrl: 'x',
    };
    expect(faultsOf(type, all).length).toBeGreaterThan(0);
  });

  test.each(CREATIVE_TYPES.filter((type) => type !== 'text'))(
    'type %s · with none · is a draft, and names what it needs',
    (type) => {
      expect(faultsOf(type, {})).toEqual([]);
      expect(missingSource(type, none)).toEqual([
        expect.objectContaining({ code: 'required', message: expect.stringContaining(type) }),
      ]);
    },
  );

  test.each(CREATIVE_TYPES)('type %s · with its own source · misses nothing', (type) => {
    expect(missingSource(type, { ...none, ...SOURCE[type] })).toEqual([]);
  });

  test('vast · with xml and address · names the second', () => {
    expect(faultsOf('vast', { vastXml: 'x', vastUrl: 'https://a.example' })).toEqual([
      'vast_url source_not_allowed',
    ]);
  });
});

describe('campaign · rules over several fields', () => {
  test.each([
    ['CPC', null, 0],
    ['CPM', null, 0],
    ['CPA', null, 1],
    ['CPS', null, 1],
    ['CPA', 7, 0],
  ])('%s with tracker %s · has %i faults', (pricingModel, trackerId, count) => {
    expect(campaignFaults({ pricingModel, trackerId })).toHaveLength(count);
  });

  test.each([
    [null, null, 0],
    ['2030-01-01', null, 0],
    [null, '2030-01-01', 0],
    ['2030-01-01', '2030-01-01', 0],
    ['2030-01-02', '2030-01-01', 1],
  ])('from %s to %s · has %i faults', (start, end, count) => {
    expect(scheduleFaults(start, end)).toHaveLength(count);
  });
});

test('countries · the list · holds the 249 of ISO 3166-1 and XK', () => {
  expect(COUNTRIES.size).toBe(250);
  expect([...COUNTRIES].every((code) => /^[A-Z]{2}$/.test(code))).toBe(true);
  expect(['US', 'CN', 'DE', 'XK'].every((code) => COUNTRIES.has(code))).toBe(true);
});
