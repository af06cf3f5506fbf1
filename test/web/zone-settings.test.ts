import {
  hasRefresh,
  popupFieldsOf,
  positionOf,
  TYPES,
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
