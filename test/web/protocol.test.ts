import { createHash } from 'node:crypto';
import { deobfuscate } from '../../domain/tracking/obfuscation.ts';
import { canonicalOf, isSignedBy } from '../../domain/tracking/signature.ts';
import { nonce, obfuscateForRequest, signedQuery } from '../../web/sdk/protocol.ts';

/** What the page makes, against what the server reads and checks. */
describe('protocol 2 of the page', () => {
  const key = 'IWqW3xkAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

  test('a signed beacon · read by the server · holds, and no other event does', () => {
    const path = '/track/video/abc-_9';
    const device = { l: 'de', tz: 'Europe/Berlin', pf: 'Win32', wd: false, pl: [640, 360] };
    const params = new URLSearchParams(
      signedQuery(path, { event: 'complete', key, device, now: 1_700_000_000_000 }),
    );
    const signature = params.get('_s') ?? '';
    const request = { method: 'GET', path, params };
    expect(canonicalOf(request)).toContain('e=complete');
    expect(isSignedBy(key, request, signature)).toBe(true);
    const keystream = { key, nonce: params.get('_r') ?? '' };
    expect(deobfuscate(params.get('_d') ?? '', keystream)).toEqual(device);
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
