import { randomBytes } from 'node:crypto';
import {
  createFingerprints,
  traitsOfClick,
  traitsOfPage,
} from '../../../domain/tracking/fingerprint.ts';

const fingerprintOf = createFingerprints(randomBytes(32));
const page = { l: 'en-US', tz: 'Europe/Berlin', pf: 'Linux x86_64', hc: 8, s: [1, 2], w: [3, 4] };
const click = {
  language: 'en-US',
  timezone: 'Europe/Berlin',
  os: 'Linux x86_64',
  cores: 8,
  screen: { width: 9, height: 9 },
};

test('one device · as the page and as the click says it · has one fingerprint', () => {
  const made = fingerprintOf(traitsOfPage(page));
  expect(made).toMatch(/^[0-9a-f]{10}$/);
  expect(fingerprintOf(traitsOfClick(click))).toBe(made);
  expect(createFingerprints(randomBytes(32))(traitsOfPage(page))).not.toBe(made);
});

test.each([
  ['language', { l: 'de' }],
  ['time zone', { tz: 'UTC' }],
  ['platform', { pf: 'Win32' }],
])('another %s · is another fingerprint', (_what, change) => {
  const other = fingerprintOf(traitsOfPage({ ...page, ...change }));
  expect(other).not.toBe(fingerprintOf(traitsOfPage(page)));
  expect(other).not.toBeNull();
});

test.each([
  ['cores, which some browsers invent per site', { hc: 4 }],
  ['pixels, which are measured by the zoom', { s: [3, 4] }],
])('another number of %s · is the same fingerprint', (_what, change) => {
  const made = fingerprintOf(traitsOfPage(page));
  expect(fingerprintOf(traitsOfPage({ ...page, ...change }))).toBe(made);
});

test.each([
  {},
  { l: 'en' },
  { ...page, tz: 5 },
  { ...page, pf: '' },
  { ...page, l: 'x'.repeat(101) },
])('what no browser says · %j · has none', (data) => {
  expect(fingerprintOf(traitsOfPage(data))).toBeNull();
});
