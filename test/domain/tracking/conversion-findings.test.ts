import {
  type BrowserTraits,
  findingsOf,
  type HoldLimits,
  type Suspicion,
} from '../../../domain/tracking/conversion-findings.ts';

const LIMITS: HoldLimits = {
  'conversion.burst_per_minute': 3,
  'conversion.max_per_click': 5,
  'conversion.max_per_publisher_hour': 100,
};
const PHONE: BrowserTraits = {
  device: 'MOBILE',
  os: 'ANDROID',
  browser: 'CHROME',
  ipPrefix: '203.0.113.0/24',
};
const report = (
  click: BrowserTraits,
  over: Partial<BrowserTraits>,
  host: string | null = 'shop.example',
) => {
  const suspicion: Suspicion = {
    reporter: { ...click, ...over, userAgent: 'ok', host },
    click,
    isPublic: true,
    isLandingHost: host === 'shop.example',
    counts: { within: 1, ofClick: 0, ofPublisher: 0 },
  };
  return findingsOf(suspicion, LIMITS);
};
const ELSEWHERE = { ipPrefix: '198.51.100.0/24' };

describe('another address than the click’s', () => {
  test.each(['MOBILE', 'TABLET'] as const)(
    'of the same browser of a %s · from Wi-Fi to the mobile network · is none',
    (device) => {
      expect(report({ ...PHONE, device }, ELSEWHERE)).toEqual([]);
    },
  );

  test.each(['DESKTOP', 'TV', 'OTHER'] as const)('of a %s · is a finding', (device) => {
    expect(report({ ...PHONE, device }, ELSEWHERE)).toEqual(['FOREIGN_ADDRESS']);
  });

  test.each<[string, Partial<BrowserTraits>, string | null, string[]]>([
    ['another browser', { browser: 'FIREFOX' }, 'shop.example', ['FOREIGN_BROWSER']],
    ['another system', { os: 'IOS' }, 'shop.example', ['FOREIGN_BROWSER']],
    ['another page', {}, 'evil.example', ['HOST_FOREIGN']],
    ['no page', {}, null, ['HOST_MISSING']],
  ])('of a phone with %s · is one beside it', (_what, over, host, found) => {
    expect(report(PHONE, { ...ELSEWHERE, ...over }, host)).toEqual(
      expect.arrayContaining([...found, 'FOREIGN_ADDRESS']),
    );
  });
});
