import type { InboxEvent } from '../../../domain/tracking/batch.ts';
import { namesOf } from '../../../domain/tracking/batch-names.ts';
import type { EventFacts, EventKind, TrackFacts } from '../../../domain/tracking/facts.ts';
import { factsOf, trackOf } from '../../support/tracking-facts.ts';

const AT = Date.parse('2026-01-31T23:59:59.000Z');

function eventOf(
  kind: EventKind,
  facts: Partial<EventFacts> | null = {},
  track: Partial<TrackFacts> | null = {},
): InboxEvent {
  const read =
    facts === null
      ? null
      : factsOf({
          track: track === null ? null : trackOf({ issuedAt: AT / 1_000, ...track }),
          ...facts,
        });
  return { id: 'e', kind, day: '2026-01-31', receivedAtMs: AT, facts: read };
}

test('events of one bid · any · name each thing once', () => {
  const names = namesOf([eventOf('impression'), eventOf('view'), eventOf('click')]);
  const { adId, zoneId, requestId, creativeId } = trackOf();
  expect([...names.adIds]).toEqual([adId]);
  expect([...names.zoneIds]).toEqual([zoneId]);
  expect([...names.requestIds]).toEqual([requestId]);
  expect([...names.viewers]).toEqual([`i:${factsOf({}).viewerKey}:${creativeId}`]);
  expect(names.firstIssuedAtMs).toBe(AT);
});

test('events of two days · any · name both, and the first moment', () => {
  const later = { ...eventOf('view'), receivedAtMs: AT + 1_000 };
  const names = namesOf([later, eventOf('impression')]);
  expect([...names.days]).toEqual(['2026-02-01', '2026-01-31']);
  expect(names.firstReceivedAtMs).toBe(AT);
});

test('a click · only when it is verified · is loaded', () => {
  const clickEventId = '00000000-0000-7000-8000-000000000001';
  expect(namesOf([eventOf('click_expired', { clickEventId })]).clickEventIds.size).toBe(0);
  expect([...namesOf([eventOf('click_verify', { clickEventId })]).clickEventIds]).toEqual([
    clickEventId,
  ]);
});

test('a conversion · from a server · names its row and its ad, no request', () => {
  const names = namesOf([eventOf('conversion', { conversionId: 7 })]);
  expect([...names.conversionIds]).toEqual([7]);
  expect(names.adIds.size).toBe(1);
  expect(names.requestIds.size).toBe(0);
  expect(names.firstIssuedAtMs).toBe(Infinity);
});

test('an event whose seal did not hold · names its ad, yet neither its request nor a viewer', () => {
  const names = namesOf([eventOf('impression', { seal: 'expired' })]);
  expect(names.adIds.size).toBe(1);
  expect(names.requestIds.size).toBe(0);
  expect(names.viewers.size).toBe(0);
});

test.each([
  ['its facts could not be read', eventOf('impression', null)],
  ['its seal did not open', eventOf('impression', { seal: 'invalid' }, null)],
])('an event · %s · names its moment alone', (_what, event) => {
  const { days, adIds, zoneIds, requestIds, viewers, firstReceivedAtMs } = namesOf([event]);
  expect([...days]).toEqual(['2026-01-31']);
  expect(firstReceivedAtMs).toBe(AT);
  for (const none of [adIds, zoneIds, requestIds, viewers]) expect(none.size).toBe(0);
});
