import fc from 'fast-check';
import type { EventFacts, TrackFacts } from '../../../domain/tracking/facts.ts';
import { readFacts } from '../../../domain/tracking/facts-check.ts';
import { packedJson, packFacts, unpackFacts } from '../../../domain/tracking/packed-facts.ts';
import { factsOf, trackOf, UNSIGNED } from '../../support/tracking-facts.ts';

/** As the log stores them and gives them back. */
const stored = (facts: EventFacts): unknown => JSON.parse(JSON.stringify(packFacts(facts)));
const plain = (facts: EventFacts): unknown => JSON.parse(JSON.stringify(facts));

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('', '-', '+t', '+f', '+e', '|', 'a|b', 'abc'),
);
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const whole = fc.nat({ max: 2 ** 48 });

test('facts · of any values, packed and stored · come back as they were', () => {
  const track = fc.record({
    requestId: text,
    bidId: text,
    advertiserId: whole,
    adGroupId: optional(whole),
    country: fc.option(text),
    viewSeconds: optional(fc.nat({ max: 255 })),
    pageId: optional(whole),
    fingerprint: optional(text),
  });
  const facts = fc.record({
    nonce: fc.option(text),
    uaHash: text,
    viewerKey: text,
    country: fc.option(text),
    webdriver: fc.option(fc.boolean()),
    prefetch: fc.boolean(),
    fingerprint: optional(text),
    placement: fc.option(fc.record({ width: fc.nat(), height: fc.float({ noNaN: true, min: 0 }) })),
    clickEventId: optional(text),
    clickId: optional(text),
    viewable: optional(fc.boolean()),
    video: optional(text),
    vastError: optional(fc.nat()),
    conversionId: optional(whole),
    pageId: optional(whole),
  });
  fc.assert(
    fc.property(facts, fc.option(track), (over, sealed) => {
      const seal = sealed as Partial<TrackFacts> | null;
      const given = factsOf({
        ...(over as Partial<EventFacts>),
        track: seal === null ? null : trackOf(seal),
      });
      expect(JSON.parse(JSON.stringify(unpackFacts(stored(given))))).toEqual(plain(given));
      expect(packedJson(given)).toBe(JSON.stringify(packFacts(given)));
    }),
  );
});

test('facts of a page · packed · are read as sound, in less than half the bytes', () => {
  const hex = (digits: number): string => 'c0ffee'.repeat(9).slice(0, digits);
  const given = factsOf({
    track: trackOf({
      requestId: hex(32),
      bidId: hex(16),
      adGroupId: 12_345,
      fingerprint: hex(10),
      uaHash: hex(8),
      ipHash: hex(8),
    }),
    nonce: hex(24),
    viewerKey: hex(32),
    uaHash: hex(8),
    ipHash: hex(8),
    fingerprint: hex(10),
  });
  expect(readFacts(stored(given))).toEqual(given);
  const [before, after] = [given, packFacts(given)].map((facts) => JSON.stringify(facts).length);
  expect(after).toBeLessThan((before ?? 0) / 2);
});

test('facts in another form · as an older build or a fault left them · are left alone', () => {
  const older = plain(factsOf(UNSIGNED));
  expect(unpackFacts(older)).toBe(older);
  expect(readFacts(older)).toEqual(older);
  for (const damaged of [null, 7, 'text', [], {}, { f: 3 }])
    expect(unpackFacts(damaged)).toBe(damaged);
  expect(readFacts({ f: 'ok|2', t: '|||' })).toBeNull();
});

test('a fact that no line names · is kept under its name', () => {
  const facts = { ...factsOf(), seenBefore: true } as unknown as EventFacts;
  expect(packFacts(facts)).toMatchObject({ seenBefore: true });
  expect(unpackFacts(stored(facts))).toMatchObject({ seenBefore: true });
  const track = { ...trackOf(), auction: 7 } as unknown as TrackFacts;
  expect(packFacts(factsOf({ track }))).toEqual(factsOf({ track }));
});

test.each(['"', '\\', '\n', 'é', '\ud800', '世界', 'plain'])(
  'a text with %j · in JSON · as any writer of JSON has it',
  (odd) => {
    const given = factsOf({ country: odd, track: trackOf({ requestId: odd }) });
    expect(packedJson(given)).toBe(JSON.stringify(packFacts(given)));
    expect(unpackFacts(JSON.parse(packedJson(given)))).toMatchObject({ country: odd });
  },
);
