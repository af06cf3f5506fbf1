import { TYPES } from '../../web/console/routes/publisher/_in/zones/-zone-types.ts';
import {
  askOf,
  hasRefresh,
  newValues,
  popupFieldsOf,
  positionOf,
  sizeOf,
} from '../../web/console/routes/publisher/_in/zones/-zone-values.ts';

/** A zone's form and its page show what a page heeds, and nothing that it would pass over (interface 2.12). */
test.each([
  ['POPUP', true, ['position', 'close_delay_seconds', 'overlay']],
  ['POPUP', false, ['position', 'close_delay_seconds', 'overlay', 'close_button']],
  ['FLOAT', true, ['position', 'close_delay_seconds', 'close_button']],
  ['INTERSTITIAL', true, ['close_delay_seconds']],
] as const)('%s · with overlay %s · has %p', (type, overlay, fields) => {
  expect(popupFieldsOf(type, { overlay })).toEqual(fields);
});

test('the centre · of a floating ad · is called what it is', () => {
  const words = {
    corner: 'corner',
    positions: { CENTER: 'centre', TOP: 'top', BOTTOM: 'bottom', LEFT: 'left', RIGHT: 'right' },
  };
  expect(positionOf('FLOAT', 'CENTER', words)).toBe('corner');
  expect(positionOf('FLOAT', 'TOP', words)).toBe('top');
  expect(positionOf('POPUP', 'CENTER', words)).toBe('centre');
});

test('a new ad after some time · is what a place inside the page has', () => {
  expect(TYPES.filter(hasRefresh)).toEqual(['BANNER', 'NATIVE', 'RESPONSIVE', 'TEXT']);
});

test('kinds of payment · all of them taken away · are those of a new zone, as the field says', () => {
  const values = newValues('BANNER', { name: 'Top', siteId: 1, formats: [] });
  expect(askOf('BANNER', { ...values, pricing_types: ['CPA'] }, []).pricing_types).toBe('CPA');
  expect(askOf('BANNER', { ...values, pricing_types: null }, []).pricing_types).toBe('CPC,CPM');
});

test('a size · of a place whose room the page decides · is none', () => {
  const size = { width: 300, height: 250 };
  expect(sizeOf({ type: 'BANNER', ...size })).toBe('300\u00a0×\u00a0250');
  expect(TYPES.filter((type) => sizeOf({ type, ...size }) === null)).toEqual([
    'NATIVE',
    'RESPONSIVE',
    'TEXT',
  ]);
});
