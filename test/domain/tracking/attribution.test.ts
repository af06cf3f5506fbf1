import fc from 'fast-check';
import { attribute, type ConvertingClick } from '../../../domain/tracking/attribution.ts';

const DAY = 86_400_000;
const clickedAt = new Date('2026-01-01T00:00:00Z');
const click = (over: Partial<ConvertingClick> = {}): ConvertingClick => ({
  advertiserId: 1,
  status: 'valid',
  reason: null,
  clickedAt,
  ...over,
});
const rules = { advertiserId: 1, windowDays: 30 };
const after = (ms: number) => ({ now: new Date(clickedAt.getTime() + ms), clickNamed: true });

test('attribution · a valid click inside the window · accepts', () => {
  expect(attribute(rules, click(), after(1_500))).toEqual({
    status: 'ACCEPTED',
    latencySeconds: 1,
  });
});
test.each(['verify_pending', 'verified', 'invalid', 'expired'] as const)(
  'attribution · %s click · does not count',
  (status) => {
    expect(attribute(rules, click({ status }), after(1_500))).toEqual({
      status: 'UNATTRIBUTED',
      reason: 'CLICK_NOT_VERIFIED',
    });
  },
);
test.each([
  ['DUPLICATE_CLICK', 'ACCEPTED'],
  ['BUDGET_EXCEEDED', 'ACCEPTED'],
  ['BOT_UA', 'REFUSED'],
  ['TOO_FAST', 'REFUSED'],
] as const)('attribution · a click refused as %s · is %s', (reason, status) => {
  const refused = click({ status: 'invalid', reason });
  expect(attribute(rules, refused, after(1_500)).status).toBe(status);
});
test('attribution · to the millisecond of the last day · accepts, then expires', () => {
  expect(attribute(rules, click(), after(30 * DAY)).status).toBe('ACCEPTED');
  expect(attribute(rules, click(), after(30 * DAY + 1))).toEqual({
    status: 'EXPIRED',
    reason: 'OUTSIDE_WINDOW',
    latencySeconds: 30 * 86_400,
  });
});
test('attribution · no click, unknown click, click of another advertiser · say which', () => {
  const unknown = { status: 'UNATTRIBUTED', reason: 'CLICK_UNKNOWN' };
  expect(attribute(rules, null, { ...after(0), clickNamed: false })).toMatchObject({
    reason: 'CLICK_MISSING',
  });
  expect(attribute(rules, null, after(0))).toEqual(unknown);
  expect(attribute(rules, click({ advertiserId: 2 }), after(0))).toEqual(unknown);
  expect(
    attribute({ ...rules, advertiserId: null }, click({ advertiserId: 2 }), after(0)).status,
  ).toBe('ACCEPTED');
});
test('attribution · any time and window · latency is never negative, and decides alone', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -DAY, max: 400 * DAY }),
      fc.integer({ min: 1, max: 365 }),
      (ms, windowDays) => {
        const found = attribute({ ...rules, windowDays }, click(), after(ms));
        expect(found.status).toBe(ms <= windowDays * DAY ? 'ACCEPTED' : 'EXPIRED');
        if ('latencySeconds' in found)
          expect(found.latencySeconds).toBe(Math.max(0, Math.floor(ms / 1000)));
      },
    ),
  );
});
