import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { deobfuscate } from '../../domain/tracking/obfuscation.ts';
import { canonicalOf, isSignedBy } from '../../domain/tracking/signature.ts';
import { nonce, obfuscateForRequest, signedQuery } from '../../web/sdk/protocol.ts';
import { hmacSha256, sha256 } from '../../web/sdk/sha256.ts';

/** The page's own arithmetic against Node's, and its beacons against what the server checks. */
const bytes = (options: fc.IntArrayConstraints = {}) =>
  fc.uint8Array({ maxLength: 300, ...options });
const hex = (value: Uint8Array): string => Buffer.from(value).toString('hex');

describe('SHA-256 of the page', () => {
  test('any message · hashed · is what Node makes of it', () => {
    fc.assert(
      fc.property(bytes(), (message) => {
        expect(hex(sha256(message))).toBe(createHash('sha256').update(message).digest('hex'));
      }),
    );
  });

  test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 4_096])(
    '%i bytes · around where blocks end · hash alike',
    (length) => {
      const message = new Uint8Array(length).fill(0xa5);
      expect(hex(sha256(message))).toBe(createHash('sha256').update(message).digest('hex'));
    },
  );

  test('any key and message · authenticated · is what Node makes of it', () => {
    fc.assert(
      fc.property(bytes(), bytes(), (key, message) => {
        expect(hex(hmacSha256(key, message))).toBe(
          createHmac('sha256', key).update(message).digest('hex'),
        );
      }),
    );
  });
});

describe('protocol 2 of the page', () => {
  const key = 'IWqW3xkAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

  test('a signed beacon · read by the server · holds, and no other event does', () => {
    const path = '/track/video/abc-_9';
    const params = new URLSearchParams(
      signedQuery(path, { event: 'complete', key, now: 1_700_000_000_000 }),
    );
    const signature = params.get('_s') ?? '';
    const request = { method: 'GET', path, params };
    expect(canonicalOf(request)).toContain('e=complete');
    expect(isSignedBy(key, request, signature)).toBe(true);
    expect(params.get('_r')).toMatch(/^1700000000000\./);
    params.set('e', 'view');
    expect(isSignedBy(key, request, signature)).toBe(false);
  });

  test('device data · hidden with the zone and nonce · is read back by the server', () => {
    const requestNonce = nonce(1_700_000_000_000);
    const traits = { v: 1, ua: 'x'.repeat(200), s: [1, 2, 3] };
    const hidden = obfuscateForRequest('zone_abcd1234', requestNonce, traits);
    const requestKey = createHash('sha256').update(`QA2|zone_abcd1234|${requestNonce}`).digest();
    expect(deobfuscate(hidden, { key: requestKey, nonce: requestNonce })).toEqual(traits);
  });
});
