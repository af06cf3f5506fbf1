import fc from 'fast-check';
import {
  type EventFacts,
  type EventKind,
  type Reason,
  REASONS,
} from '../../../domain/tracking/facts.ts';
import { bills, judge, type JudgeContext } from '../../../domain/tracking/verdict.ts';

const track: NonNullable<EventFacts['track']> = {
  requestId: 'r',
  bidId: 'b',
  advertiserId: 1,
  campaignId: 2,
  adId: 3,
  creativeId: 4,
  zoneId: 5,
  issuedAt: 1_700_000_000,
  protocol: 2,
  channel: 'page',
  pricingModel: 'CPM',
  priceNanos: '1000',
  uaHash: 'ua',
  ipHash: 'ip',
  country: 'DE',
  device: 'DESKTOP',
  os: 'LINUX',
};
const sound: EventFacts = {
  track,
  seal: 'ok',
  protocol: 2,
  signature: 'ok',
  session: 'ok',
  clock: 'ok',
  nonce: 'n',
  userAgent: 'ok',
  uaHash: 'ua',
  ipHash: 'other network',
  viewerKey: 'v',
  ipPrefix: '203.0.113.0/24',
  country: 'DE',
  device: 'DESKTOP',
  os: 'LINUX',
  browser: 'CHROME',
  prefetch: false,
  datacenter: false,
  webdriver: false,
  placement: { width: 300, height: 250 },
};
const NOW = 1_700_000_100_000;
const calm: JudgeContext = {
  receivedAtMs: NOW,
  referencesKnown: true,
  nonceSeen: false,
  impressionAtMs: NOW - 3_000,
  impressionCounted: true,
  countedBefore: false,
  lastCountedAtMs: null,
  dedupWindowSeconds: 60,
  rateCount: 1,
  rateMax: 60,
  targeted: { country: true, device: true, os: true },
  click: null,
  clickReason: null,
  overBudget: false,
  overBalance: false,
};

interface Case {
  kind?: EventKind;
  facts?: Partial<EventFacts>;
  context?: Partial<JudgeContext>;
}

const verified = { state: 'verified' as const, clickedAtMs: NOW - 500 };
const CASES: [Reason, string, Case][] = [
  [
    'CONVERSION_UNDECIDED',
    'nobody decided in time',
    { kind: 'conversion', facts: { refusal: 'CONVERSION_UNDECIDED' } },
  ],
  [
    'CONVERSION_REJECTED',
    'its advertiser said so',
    { kind: 'conversion', facts: { refusal: 'CONVERSION_REJECTED' } },
  ],
  ['TRACK_INVALID', 'the seal did not open', { facts: { seal: 'invalid', track: null } }],
  ['TRACK_INVALID', 'no track although sealed', { facts: { track: null } }],
  ['TRACK_INVALID', 'its rows are unknown', { context: { referencesKnown: false } }],
  ['TRACK_EXPIRED', 'older than its kind allows', { facts: { seal: 'expired' } }],
  ['TRACK_EXPIRED', 'and its payload is not told', { facts: { seal: 'expired', track: null } }],
  ['SIG_MISSING', 'v2 without a signature', { facts: { signature: 'missing' } }],
  [
    'SIG_MISSING',
    'issued under v2, reported v1-style',
    { facts: { protocol: 1, signature: 'none' } },
  ],
  ['SIG_BAD', 'the signature is wrong', { facts: { signature: 'bad' } }],
  ['SESSION_EXPIRED', 'the session key is old', { facts: { session: 'expired' } }],
  ['SESSION_EXPIRED', 'the session key is of another request', { facts: { session: 'bad' } }],
  [
    'SESSION_EXPIRED',
    'the click row is not verified',
    { kind: 'click_verify', context: { click: { ...verified, state: 'not_verified' } } },
  ],
  ['CLOCK_SKEW', 'the nonce is of another time', { facts: { clock: 'skew' } }],
  ['REPLAY', 'the nonce was used', { context: { nonceSeen: true } }],
  ['REPLAY', 'the bid was counted', { context: { countedBefore: true } }],
  [
    'REPLAY',
    'the click row is settled',
    { kind: 'click_verify', context: { click: { ...verified, state: 'settled' } } },
  ],
  ['EMPTY_UA', 'no user agent', { facts: { userAgent: 'empty' } }],
  ['BOT_UA', 'a bot says so', { facts: { userAgent: 'bot' } }],
  ['PREFETCH', 'not shown yet', { facts: { prefetch: true } }],
  ['DATACENTER_IP', 'from a hosting network', { facts: { datacenter: true } }],
  ['INVALID_PLACEMENT', '0x0', { facts: { placement: { width: 0, height: 0 } } }],
  ['INVALID_PLACEMENT', '300x1', { facts: { placement: { width: 300, height: 1 } } }],
  ['WEBDRIVER', 'an automated browser', { facts: { webdriver: true } }],
  ['UA_MISMATCH', 'another agent family', { facts: { uaHash: 'else' } }],
  [
    'FP_MISMATCH',
    'another device class',
    { facts: { device: 'TV' }, context: { targeted: { country: true, device: false, os: true } } },
  ],
  [
    'FP_MISMATCH',
    'another device by what it says of itself',
    { facts: { track: { ...track, fingerprint: 'a'.repeat(16) }, fingerprint: 'b'.repeat(16) } },
  ],
  ['TARGETING_MISMATCH', 'another country', { facts: { country: 'FR' } }],
  ['TARGETING_MISMATCH', 'no country', { facts: { country: null } }],
  [
    'CLICK_BEFORE_IMPRESSION',
    'no impression',
    { kind: 'click_verify', context: { impressionAtMs: null, click: verified } },
  ],
  [
    'CLICK_BEFORE_IMPRESSION',
    'an impression beyond the grace',
    { kind: 'click_verify', context: { impressionAtMs: NOW + 5_001, click: verified } },
  ],
  [
    'TOO_FAST',
    '99 ms after the impression',
    { kind: 'click', context: { impressionAtMs: NOW - 99 } },
  ],
  [
    'TOO_FAST',
    'clicked 99 ms after the impression, verified later',
    { kind: 'click_verify', context: { impressionAtMs: NOW - 599, click: verified } },
  ],
  ['RATE_LIMIT', 'one more than the setting', { context: { rateCount: 61 } }],
  ['DUPLICATE_IMPRESSION', 'inside the window', { context: { lastCountedAtMs: NOW - 59_999 } }],
  [
    'DUPLICATE_IMPRESSION',
    'the same bid by the same viewer is a duplicate, not a replay',
    { context: { lastCountedAtMs: NOW - 1, countedBefore: true } },
  ],
  [
    'DUPLICATE_CLICK',
    'inside the window',
    { kind: 'click_verify', context: { lastCountedAtMs: NOW - 1, click: verified } },
  ],
  [
    'BOT_UA',
    'its click was refused so',
    { kind: 'conversion', context: { clickReason: 'BOT_UA' } },
  ],
  ['BUDGET_EXCEEDED', 'no room in a cap', { context: { overBudget: true } }],
  ['BALANCE_EXHAUSTED', 'no room in the balance', { context: { overBalance: true } }],
];

const judged = ({ kind = 'impression', facts = {}, context = {} }: Case) =>
  judge({ kind, facts: { ...sound, ...facts } }, { ...calm, ...context });

test('every reason of interface 6 · has a case of its own', () => {
  expect(new Set(CASES.map(([reason]) => reason))).toEqual(new Set(REASONS));
});

test.each(CASES)('%s · %s · not billable, for this reason first', (reason, _when, given) => {
  const verdict = judged(given);
  expect(verdict.billable).toBe(false);
  expect(verdict.reason).toBe(reason);
});

test.each<[string, Case]>([
  ['a sound impression', {}],
  [
    'a sound v1 impression',
    {
      facts: {
        track: { ...track, protocol: 1 },
        protocol: 1,
        signature: 'none',
        session: 'none',
        nonce: null,
      },
    },
  ],
  ['another network in between', { facts: { ipHash: 'moved' } }],
  ['exactly at the end of the window', { context: { lastCountedAtMs: NOW - 60_000 } }],
  ['dedup off', { context: { lastCountedAtMs: NOW, dedupWindowSeconds: 0 } }],
  ['rate off', { context: { rateCount: 1_000, rateMax: 0 } }],
  ['placement not told', { facts: { placement: null, webdriver: null } }],
  [
    'another country where none is targeted',
    { facts: { country: 'FR' }, context: { targeted: { country: false, device: true, os: true } } },
  ],
  [
    'a verified click 100 ms after the impression',
    { kind: 'click_verify', context: { impressionAtMs: NOW - 600, click: verified } },
  ],
  [
    'a verified click whose impression is logged 5 s later',
    { kind: 'click_verify', context: { impressionAtMs: NOW + 5_000, click: verified } },
  ],
  [
    'a v1-style click of a v2 track',
    {
      kind: 'click_verify',
      facts: { protocol: 1, signature: 'none' },
      context: { click: verified },
    },
  ],
  [
    'a conversion from a server',
    {
      kind: 'conversion',
      facts: {
        userAgent: 'empty',
        datacenter: true,
        uaHash: '',
        device: 'OTHER',
        os: 'OTHER',
        country: null,
      },
    },
  ],
])('%s · no check bites · valid and billable', (_when, given) => {
  expect(judged(given)).toEqual({ billable: true, status: 'valid', reason: null, reasons: [] });
});

test.each<Reason>(['REPLAY', 'DUPLICATE_CLICK', 'BUDGET_EXCEEDED', 'BALANCE_EXHAUSTED'])(
  'conversion · its click was refused as %s · is counted all the same',
  (clickReason) => {
    expect(judged({ kind: 'conversion', context: { clickReason } })).toMatchObject({
      billable: true,
    });
  },
);

test('a pixel that is loaded again · inside the window · is a duplicate first, after it a replay', () => {
  const again = { nonceSeen: true, countedBefore: true };
  const inside = judged({ context: { ...again, lastCountedAtMs: NOW - 59_999 } });
  expect([inside.reason, inside.reasons]).toEqual([
    'DUPLICATE_IMPRESSION',
    ['DUPLICATE_IMPRESSION'],
  ]);
  const after = judged({ context: { ...again, lastCountedAtMs: NOW - 60_000 } });
  expect(after.reason).toBe('REPLAY');
});

test.each<EventKind>(['impression', 'click_verify'])(
  'a window of 0 · the same track_id again as %s · still bills once',
  (kind) => {
    const again = { countedBefore: true, lastCountedAtMs: NOW - 1, dedupWindowSeconds: 0 };
    const click = kind === 'click_verify' ? verified : null;
    expect(judged({ kind, context: { ...again, click } })).toMatchObject({
      billable: false,
      reason: 'REPLAY',
    });
  },
);

test('several reasons · the order of interface 6 · first is the reason, all are kept', () => {
  const verdict = judged({
    facts: { userAgent: 'bot', signature: 'bad', webdriver: true },
    context: { overBalance: true, nonceSeen: true },
  });
  expect(verdict.reasons).toEqual([
    'SIG_BAD',
    'REPLAY',
    'BOT_UA',
    'WEBDRIVER',
    'BALANCE_EXHAUSTED',
  ]);
  expect(verdict.reason).toBe('SIG_BAD');
});

test.each<[EventKind, Case, string]>([
  ['click', { facts: { userAgent: 'bot' } }, 'verify_pending'],
  ['click', { facts: { track: null, seal: 'invalid' } }, 'invalid'],
  ['click_expired', { facts: { seal: 'invalid' } }, 'expired'],
  ['view', { facts: { viewable: true } }, 'viewable'],
  ['view', { facts: { viewable: false } }, 'not_viewable'],
  ['view', { facts: { viewable: true }, context: { impressionCounted: false } }, 'unmatched'],
  ['view', { facts: { viewable: true, webdriver: true } }, 'invalid'],
])('%s · %j · never billable', (kind, given, status) => {
  expect(judged({ ...given, kind })).toMatchObject({ billable: false, status });
});

test('any facts in any context · never billable with a reason, reasons in catalogue order, judging is repeatable', () => {
  const kinds = fc.constantFrom<EventKind>(
    'impression',
    'click',
    'click_verify',
    'click_expired',
    'conversion',
    'view',
    'video',
    'video_view',
    'vast_error',
  );
  const anyFacts = fc.record<EventFacts>({
    track: fc.option(fc.constantFrom(track, { ...track, protocol: 1 as const, country: null })),
    seal: fc.constantFrom('ok', 'invalid', 'expired'),
    protocol: fc.constantFrom(1, 2),
    signature: fc.constantFrom('none', 'ok', 'missing', 'bad'),
    session: fc.constantFrom('none', 'ok', 'expired', 'bad'),
    clock: fc.constantFrom('ok', 'skew'),
    nonce: fc.option(fc.string()),
    userAgent: fc.constantFrom('ok', 'empty', 'bot'),
    uaHash: fc.constantFrom('ua', 'else'),
    ipHash: fc.string(),
    viewerKey: fc.string(),
    ipPrefix: fc.string(),
    country: fc.option(fc.constantFrom('DE', 'FR')),
    device: fc.constantFrom('DESKTOP', 'MOBILE'),
    os: fc.constantFrom('LINUX', 'IOS'),
    browser: fc.constantFrom('CHROME', 'OTHER'),
    prefetch: fc.boolean(),
    datacenter: fc.boolean(),
    webdriver: fc.option(fc.boolean()),
    placement: fc.option(fc.record({ width: fc.nat({ max: 400 }), height: fc.nat({ max: 400 }) })),
  });
  const instant = fc.integer({ min: NOW - 400_000, max: NOW + 10_000 });
  const anyContext = fc.record<JudgeContext>({
    receivedAtMs: fc.constant(NOW),
    referencesKnown: fc.boolean(),
    nonceSeen: fc.boolean(),
    impressionAtMs: fc.option(instant),
    impressionCounted: fc.boolean(),
    countedBefore: fc.boolean(),
    lastCountedAtMs: fc.option(instant),
    dedupWindowSeconds: fc.nat({ max: 300 }),
    rateCount: fc.nat({ max: 100 }),
    rateMax: fc.nat({ max: 100 }),
    targeted: fc.record({ country: fc.boolean(), device: fc.boolean(), os: fc.boolean() }),
    click: fc.option(
      fc.record({
        state: fc.constantFrom('verified' as const, 'settled' as const, 'not_verified' as const),
        clickedAtMs: instant,
      }),
    ),
    clickReason: fc.option(fc.constantFrom<Reason>('BOT_UA', 'DUPLICATE_CLICK', 'TOO_FAST')),
    overBudget: fc.boolean(),
    overBalance: fc.boolean(),
  });
  fc.assert(
    fc.property(kinds, anyFacts, anyContext, (kind, facts, context) => {
      const verdict = judge({ kind, facts }, context);
      const order = verdict.reasons.map((reason) => REASONS.indexOf(reason));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      expect(new Set(order).size).toBe(order.length);
      expect(verdict.reason).toBe(verdict.reasons[0] ?? null);
      if (verdict.billable) {
        expect(verdict.reasons).toEqual([]);
        expect(['impression', 'click_verify', 'conversion', 'video_view']).toContain(kind);
        expect(facts.seal).toBe('ok');
      }
      expect(judge({ kind, facts }, context)).toEqual(verdict);
    }),
    { numRuns: 2_000 },
  );
});

describe('a view of a video', () => {
  const watched = { ...track, viewSeconds: 15 };
  const view = (context: Partial<JudgeContext> = {}, facts: Partial<EventFacts> = {}) =>
    judged({ kind: 'video_view', facts: { track: watched, ...facts }, context });
  const after = (ms: number): Partial<JudgeContext> => ({ impressionAtMs: NOW - ms });

  test.each([14_000, 15_000, 600_000])('%d ms after its impression · is counted', (ms) => {
    expect(view(after(ms))).toEqual({ billable: true, status: 'valid', reason: null, reasons: [] });
  });
  test.each<[string, Partial<JudgeContext>]>([
    ['a second too early', after(13_999)],
    ['in the moment of its impression', after(0)],
    ['before its impression', after(-1_000)],
    ['without an impression', { impressionAtMs: null }],
  ])('%s · is TOO_FAST', (_when, context) => {
    expect(view(context)).toMatchObject({ billable: false, reason: 'TOO_FAST' });
  });
  test('said again · is REPLAY; the end after 30 seconds is no fault and costs nothing', () => {
    expect(view({ ...after(20_000), nonceSeen: true })).toMatchObject({ reason: 'REPLAY' });
    const more = { ...after(45_000), countedBefore: true, overBudget: true, overBalance: true };
    expect(view({ ...more, lastCountedAtMs: NOW - 15_000 })).toEqual({
      billable: false,
      status: 'valid',
      reason: null,
      reasons: [],
    });
  });
  test('another one of the same viewer and creative inside the window · is a duplicate', () => {
    expect(view({ ...after(20_000), lastCountedAtMs: NOW - 59_000 })).toMatchObject({
      reason: 'DUPLICATE_IMPRESSION',
    });
    expect(view({ ...after(20_000), lastCountedAtMs: NOW - 60_000 })).toMatchObject({
      billable: true,
    });
  });
  test.each<[Reason, Partial<EventFacts>, Partial<JudgeContext>]>([
    ['SIG_MISSING', { protocol: 1, signature: 'none' }, {}],
    ['BOT_UA', { userAgent: 'bot' }, {}],
    ['UA_MISMATCH', { uaHash: 'else' }, {}],
    ['TRACK_EXPIRED', { seal: 'expired' }, {}],
    ['RATE_LIMIT', {}, { rateCount: 99, rateMax: 60 }],
    ['BUDGET_EXCEEDED', {}, { overBudget: true }],
  ])('is refused for %s as an impression is', (reason, facts, context) => {
    expect(view({ ...after(20_000), ...context }, facts)).toMatchObject({ reason });
  });
  test.each<EventKind>(['video', 'vast_error'])('%s · sound · is kept, never counted', (kind) => {
    expect(judged({ kind })).toEqual({
      billable: false,
      status: 'valid',
      reason: null,
      reasons: [],
    });
  });
});

test('pricing models · each bills one kind of event', () => {
  expect(bills('CPM', 'impression')).toBe(true);
  expect(bills('CPC', 'click_verify')).toBe(true);
  expect(bills('CPC', 'click')).toBe(false);
  expect(bills('CPA', 'conversion')).toBe(true);
  expect(bills('CPS', 'conversion')).toBe(true);
  expect(bills('CPV', 'video_view')).toBe(true);
  expect(bills('CPV', 'video')).toBe(false);
  expect(bills('CPM', 'video_view')).toBe(false);
});
