import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { TrackPayload } from '../../../domain/tracking/facts.ts';
import { createTrackSealer, TRACK_ID_CHARS } from '../../../domain/tracking/track-id.ts';
import { DEVICES, OSES } from '../../../domain/viewer.ts';

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((value) => Buffer.from(value).toString('hex'));
const id = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const payloads: fc.Arbitrary<TrackPayload> = fc.record({
  requestId: hex(16),
  bidId: hex(8),
  advertiserId: id,
  campaignId: id,
  adId: id,
  creativeId: id,
  zoneId: id,
  issuedAt: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  protocol: fc.constantFrom<1 | 2>(1, 2),
  channel: fc.constantFrom('page', 'render', 'vast'),
  pricingModel: fc.constantFrom('CPM', 'CPC', 'CPA', 'CPS', 'CPV'),
  priceNanos: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  uaHash: hex(4),
  ipHash: hex(4),
  country: fc.option(fc.constantFrom('DE', 'US', 'CN', 'ZA')),
  device: fc.constantFrom(...DEVICES),
  os: fc.constantFrom(...OSES),
});
const grouped: fc.Arbitrary<TrackPayload> = fc
  .tuple(payloads, fc.integer({ min: 1, max: 2 ** 48 - 1 }))
  .map(([payload, adGroupId]) => ({ ...payload, adGroupId }));
const videos: fc.Arbitrary<TrackPayload> = fc
  .tuple(payloads, fc.integer({ min: 1, max: 255 }))
  .map(([payload, viewSeconds]) => ({ ...payload, viewSeconds }));

const keyA = { id: 3, secret: randomBytes(32) };
const keyB = { id: 4, secret: randomBytes(32) };
const sealer = createTrackSealer([keyA]);
const one: TrackPayload = fc.sample(payloads, { numRuns: 1, seed: 7 })[0] as TrackPayload;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const asked: fc.Arbitrary<TrackPayload> = fc
  .tuple(payloads, fc.integer({ min: 1, max: 2 ** 48 - 1 }), hex(5))
  .map(([payload, pageId, fingerprint]) => ({ ...payload, pageId, fingerprint }));

const marked: fc.Arbitrary<TrackPayload> = fc
  .tuple(payloads, fc.constantFrom('webdriver', 'isRestricted'), fc.boolean())
  .map(([payload, mark, areBoth]) =>
    areBoth ? { ...payload, webdriver: true, isRestricted: true } : { ...payload, [mark]: true },
  );

test('track_id · any payload sealed · opens to the same payload, in 172 URL-safe characters', () => {
  fc.assert(
    fc.property(fc.oneof(payloads, videos, grouped, asked, marked), (payload) => {
      const text = sealer.seal(payload);
      expect(text).toMatch(/^[A-Za-z0-9_-]{172}$/);
      expect(text).toHaveLength(TRACK_ID_CHARS);
      expect(sealer.open(text)).toEqual(payload);
    }),
  );
});

/** As ids were sealed before: by HMAC, in a block less, without the ad group. */
function sealedOld(secret: Buffer, plain: Buffer): string {
  const derive = (label: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, '', label, bytes));
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-128-cbc', derive('track-id/encrypt', 16), iv);
  const head = Buffer.concat([Buffer.of(0x12), iv, cipher.update(plain), cipher.final()]);
  const tag = createHmac('sha256', derive('track-id/mac', 32))
    .update('tid\0')
    .update(head)
    .digest();
  return Buffer.concat([head, tag.subarray(0, 16)]).toString('base64url');
}

describe('ids of older builds', () => {
  const secret = Buffer.alloc(32, 1);
  const opening = createTrackSealer([{ id: 2, secret }]);
  const plain = Buffer.alloc(79);
  plain.writeUInt8(1, 58);
  plain.writeUIntBE(77, 30, 6);
  plain.writeUInt8(12, 78);

  test('track_id · sealed before the ad group was in it · still opens', () => {
    const text = sealedOld(secret, plain);
    expect(text).toHaveLength(151);
    const opened = opening.open(text);
    expect(opened).toMatchObject({ pricingModel: 'CPC', adId: 77, viewSeconds: 12 });
    expect(opened).not.toHaveProperty('adGroupId');
  });

  test('track_id · sealed before videos were sold, a byte shorter · still opens', () => {
    const opened = opening.open(sealedOld(secret, plain.subarray(0, 78)));
    expect(opened).toMatchObject({ pricingModel: 'CPC', adId: 77 });
    expect(opened).not.toHaveProperty('viewSeconds');
  });

  test('track_id · an old one edited, under another key, or called a new one · is refused', () => {
    const bytes = Buffer.from(sealedOld(secret, plain), 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const edited = Buffer.from(bytes);
      edited.writeUInt8(edited.readUInt8(at) ^ 0x10, at);
      expect(opening.open(edited.toString('base64url'))).toBeNull();
    }
    expect(opening.open(sealedOld(randomBytes(32), plain))).toBeNull();
  });
});

test('track_id · one payload sealed twice · gives two texts', () => {
  expect(sealer.seal(one)).not.toBe(sealer.seal(one));
});

test('track_id · every single-character edit · is refused', () => {
  const text = sealer.seal(one);
  let accepted = 0;
  for (let at = 0; at < text.length; at += 1) {
    for (const char of `${ALPHABET}+/= %\u00e9`) {
      if (char === text[at]) continue;
      if (sealer.open(text.slice(0, at) + char + text.slice(at + 1)) !== null) accepted += 1;
    }
  }
  expect(accepted).toBe(0);
});

test('track_id · every truncation, extension and deletion · is refused', () => {
  const text = sealer.seal(one);
  for (let at = 0; at < text.length; at += 1) {
    expect(sealer.open(text.slice(0, at))).toBeNull();
    expect(sealer.open(text.slice(0, at) + text.slice(at + 1))).toBeNull();
    expect(sealer.open(`${text.slice(0, at)}A${text.slice(at)}`)).toBeNull();
  }
  expect(sealer.open(`${text}=`)).toBeNull();
});

test('track_id · sealed under another key · is refused, also when the id is the same', () => {
  const text = createTrackSealer([{ id: keyA.id, secret: randomBytes(32) }]).seal(one);
  expect(sealer.open(text)).toBeNull();
  expect(sealer.open(createTrackSealer([keyB]).seal(one))).toBeNull();
});

test('track_id · key rotated · new one seals, old one still opens', () => {
  const rotated = createTrackSealer([keyB, keyA]);
  expect(rotated.open(sealer.seal(one))).toEqual(one);
  expect(sealer.open(rotated.seal(one))).toBeNull();
  expect(createTrackSealer([keyB]).open(rotated.seal(one))).toEqual(one);
});

test('track_id · two halves of two good ids spliced · is refused', () => {
  const a = sealer.seal(one);
  const b = sealer.seal({ ...one, priceNanos: 0n });
  for (let at = 1; at < a.length; at += 1) {
    const spliced = a.slice(0, at) + b.slice(at);
    if (spliced !== a && spliced !== b) expect(sealer.open(spliced)).toBeNull();
  }
});

test('track_id · a value that does not fit · raises instead of sealing something else', () => {
  expect(() => sealer.seal({ ...one, adId: 2 ** 48 })).toThrow(/range|hex|letters/);
  expect(() => sealer.seal({ ...one, requestId: 'zz' })).toThrow(/range|hex|letters/);
  expect(() => sealer.seal({ ...one, priceNanos: -1n })).toThrow(/range|hex|letters/);
  expect(() => sealer.seal({ ...one, country: 'deu' })).toThrow(/range|hex|letters/);
});
