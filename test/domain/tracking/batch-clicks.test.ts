import type { ConversionStatus } from '../../../domain/lifecycle/conversion.ts';
import type { ClickReference, ConversionReference } from '../../../domain/tracking/batch.ts';
import type { EventFacts, Reason } from '../../../domain/tracking/facts.ts';
import { type BidEvent, createMarkBook } from '../../../domain/tracking/marks.ts';
import { createRateCounts } from '../../../domain/tracking/rates.ts';
import { AT, eventOf, type EventSketch, judged, reasonsOf } from '../../support/batches.ts';

const CLICK: ClickReference = {
  status: 'verified',
  bidId: 'b1',
  clickId: 'public',
  clickedAtMs: AT + 100,
};
const verify = (over: EventSketch = {}) =>
  eventOf(1, {
    kind: 'click_verify',
    atMs: AT + 500,
    ...over,
    facts: { clickEventId: 'row', ...over.facts },
    track: { pricingModel: 'CPC', ...over.track },
  });
const clicks = new Map([['row', CLICK]]);
const shown = eventOf(1, { track: { pricingModel: 'CPC' } });

describe('a verified click', () => {
  test('a verified click · its ad was shown · is charged under its public id', () => {
    expect(judged([shown, verify()], { clicks })[1]).toMatchObject({
      verdict: { billable: true },
      clickId: 'public',
      priceNanos: 1_000n,
    });
  });

  test('its time · 99 ms after the impression, verified later · is too fast', () => {
    const hasty = new Map([['row', { ...CLICK, clickedAtMs: AT + 99 }]]);
    expect(reasonsOf([shown, verify()], { clicks: hasty })).toEqual([null, 'TOO_FAST']);
  });

  test('its impression · later in the batch, in the marks, or nowhere · is looked for', () => {
    expect(reasonsOf([verify(), shown], { clicks })).toEqual([null, null]);
    const earlier: BidEvent = {
      bidId: 'b1',
      kind: 'impression',
      receivedAtMs: AT,
      said: { nonce: null },
      verdict: { billable: true, status: 'valid' },
    };
    const book = createMarkBook({ before: [earlier], viewers: [], rates: createRateCounts() });
    expect(reasonsOf([verify()], { clicks, book })).toEqual([null]);
    expect(reasonsOf([verify()], { clicks })).toEqual(['CLICK_BEFORE_IMPRESSION']);
  });

  test('its impression · with a seal that has lapsed · is none', () => {
    const lapsed = eventOf(1, { facts: { seal: 'expired' } });
    expect(reasonsOf([lapsed, verify()], { clicks })[1]).toBe('CLICK_BEFORE_IMPRESSION');
  });

  test.each<[string, ClickReference, Reason]>([
    ['pending', { ...CLICK, status: 'verify_pending' }, 'SESSION_EXPIRED'],
    ['of another bid', { ...CLICK, bidId: 'b2' }, 'SESSION_EXPIRED'],
    ['counted before', { ...CLICK, status: 'valid' }, 'REPLAY'],
    ['refused before', { ...CLICK, status: 'invalid' }, 'REPLAY'],
  ])('its row · %s · is refused', (_name, row, reason) => {
    expect(reasonsOf([shown, verify()], { clicks: new Map([['row', row]]) })[1]).toBe(reason);
  });

  test('its row · verified twice in one batch · counts once, even when the first was refused', () => {
    const bot = verify({ facts: { userAgent: 'bot' } });
    expect(reasonsOf([shown, bot, verify()], { clicks })).toEqual([null, 'BOT_UA', 'REPLAY']);
  });

  test('a click · within the clicks’ window of the viewer · is a duplicate', () => {
    const both = new Map([...clicks, ['row 2', { ...CLICK, bidId: 'b2' }]]);
    const second = eventOf(2, { track: { pricingModel: 'CPC' } });
    const repeated = verify({
      atMs: AT + 120_500,
      facts: { clickEventId: 'row 2', viewerKey: 'v1' },
      track: { bidId: 'b2' },
    });
    const reasons = reasonsOf([shown, second, verify(), repeated], { clicks: both });
    expect(reasons[3]).toBe('DUPLICATE_CLICK');
  });
});

const sale = (over: Partial<EventFacts> = {}) =>
  eventOf(1, {
    kind: 'conversion',
    atMs: AT + 900,
    facts: { conversionId: 77, clickId: 'public', ...over },
    track: { pricingModel: 'CPA' },
  });
const conversionsOf = (status: ConversionStatus, clickReason: Reason | null = null) =>
  new Map<number, ConversionReference>([[77, { status, clickReason }]]);
const accepted = conversionsOf('ACCEPTED');

describe('a conversion', () => {
  test('a conversion · accepted · is charged once', () => {
    const [first, second] = judged([sale(), sale()], { conversions: accepted });
    expect(first).toMatchObject({ verdict: { billable: true }, priceNanos: 1_000n });
    expect(second).toMatchObject({ verdict: { reason: 'REPLAY' }, priceNanos: 0n });
  });

  test('a conversion · settled before, unknown, or without a row · is a replay', () => {
    const settled = conversionsOf('BILLED');
    expect(reasonsOf([sale()], { conversions: settled })).toEqual(['REPLAY']);
    expect(reasonsOf([sale()])).toEqual(['REPLAY']);
    const rowless = sale({ conversionId: undefined });
    expect(reasonsOf([rowless], { conversions: accepted })).toEqual(['REPLAY']);
  });

  test('a conversion · its click was refused before · inherits why', () => {
    const conversions = conversionsOf('ACCEPTED', 'BOT_UA');
    expect(reasonsOf([sale()], { conversions })).toEqual(['BOT_UA']);
  });

  test('a conversion · its click is refused in the same batch · inherits why', () => {
    const bot = verify({ facts: { userAgent: 'bot' } });
    const sketch = { clicks, conversions: accepted };
    expect(reasonsOf([shown, bot, sale()], sketch)[2]).toBe('BOT_UA');
    expect(reasonsOf([shown, bot, sale({ clickId: 'other' })], sketch)[2]).toBeNull();
  });

  test('a conversion · its click had no budget · is forgiven', () => {
    const room = { balances: new Map([[1, 1_000n]]) };
    const dear = verify({ track: { priceNanos: '1001' } });
    const sketch = { clicks, conversions: accepted, room };
    expect(reasonsOf([shown, dear, sale()], sketch)).toEqual([null, 'BALANCE_EXHAUSTED', null]);
  });
});
