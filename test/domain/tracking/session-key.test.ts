import { createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { createSessionKeys } from '../../../domain/tracking/session-key.ts';

const keys = createSessionKeys(randomBytes(32));
const now = new Date('2026-03-01T12:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const viewer = { uaHash: '0a0b0c0d' };
const other = { uaHash: '0a0b0c0e' };
const requestId = 'a'.repeat(32);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=';

function acceptedEdits(text: string, accepts: (text: string) => boolean): number {
  let accepted = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (accepts(text.slice(0, at))) accepted += 1;
    for (const char of ALPHABET) {
      if (char !== text[at] && accepts(text.slice(0, at) + char + text.slice(at + 1)))
        accepted += 1;
    }
  }
  return accepted;
}

describe('session key', () => {
  const text = keys.mintSession({ requestId, viewer, now });
  test('session key · minted · is 58 URL-safe characters and holds for an hour', () => {
    expect(text).toMatch(/^[A-Za-z0-9_-]{58}$/);
    expect(keys.checkSession(text, { requestId, viewer, now })).toBe('ok');
    expect(keys.checkSession(text, { requestId, viewer, now: later(3_600) })).toBe('ok');
    expect(keys.checkSession(text, { requestId, viewer, now: later(3_601) })).toBe('expired');
  });
  test('session key · of another request, browser family or server · is bad', () => {
    expect(keys.checkSession(text, { requestId: 'b'.repeat(32), viewer, now })).toBe('bad');
    expect(keys.checkSession(text, { requestId, viewer: other, now })).toBe('bad');
    const foreign = createSessionKeys(randomBytes(32));
    expect(foreign.checkSession(text, { requestId, viewer, now })).toBe('bad');
  });
  test('session key · any one-character edit or truncation · is bad', () => {
    const accepts = (edit: string) => keys.checkSession(edit, { requestId, viewer, now }) !== 'bad';
    expect(acceptedEdits(text, accepts)).toBe(0);
  });
  test('session key · two for one request · differ, and each has its own _rand', () => {
    const again = keys.mintSession({ requestId, viewer, now });
    expect(again).not.toBe(text);
    expect(keys.randOf(text)).toBe(keys.randOf(text));
    expect(keys.randOf(text)).not.toBe(keys.randOf(again));
    expect(keys.randOf(text)).toMatch(/^[A-Za-z0-9_-]{12}$/);
  });
});

describe('click key', () => {
  const clickEventId = randomUUID();
  const text = keys.mintClick({ trackId: 'T1', clickEventId, viewer, now });
  test('click key · minted · opens to its click for five minutes', () => {
    expect(keys.openClick(text, { trackId: 'T1', viewer, now })).toEqual({ clickEventId });
    expect(keys.openClick(text, { trackId: 'T1', viewer, now: later(300) })).toEqual({
      clickEventId,
    });
    expect(keys.openClick(text, { trackId: 'T1', viewer, now: later(301) })).toBe('expired');
  });
  test('click key · with another track id or browser family · is bad', () => {
    expect(keys.openClick(text, { trackId: 'T2', viewer, now })).toBe('bad');
    expect(keys.openClick(text, { trackId: 'T1', viewer: other, now })).toBe('bad');
  });
  test('click key · any one-character edit or truncation · is bad', () => {
    const accepts = (edit: string) =>
      keys.openClick(edit, { trackId: 'T1', viewer, now }) !== 'bad';
    expect(acceptedEdits(text, accepts)).toBe(0);
  });
  test('the two kinds · one used as the other · is bad', () => {
    const session = keys.mintSession({ requestId, viewer, now });
    expect(keys.openClick(session, { trackId: 'T1', viewer, now })).toBe('bad');
    expect(keys.checkSession(text, { requestId, viewer, now })).toBe('bad');
  });
});

describe('keys of older builds', () => {
  const secret = randomBytes(32);
  const opening = createSessionKeys(secret);
  const derived = Buffer.from(hkdfSync('sha256', secret, '', 'session-key', 32));
  const ends = Math.floor(now.getTime() / 1000) + 300;
  /** As keys were tagged before: by HMAC. */
  const minted = (type: number, middle: Buffer, owner: string): string => {
    const body = Buffer.alloc(5 + middle.length);
    body.writeUInt8(type, 0);
    body.writeUInt32BE(ends, 1);
    middle.copy(body, 5);
    const text = `tag\0${owner}\0${viewer.uaHash}\0`;
    const tag = createHmac('sha256', derived).update(text).update(body).digest();
    return Buffer.concat([body, tag.subarray(0, 16)]).toString('base64url');
  };

  test('session key · tagged by HMAC · holds until it ends, for its request alone', () => {
    const text = minted(0x21, randomBytes(22), requestId);
    expect(opening.checkSession(text, { requestId, viewer, now })).toBe('ok');
    expect(opening.checkSession(text, { requestId, viewer, now: later(301) })).toBe('expired');
    expect(opening.checkSession(text, { requestId: 'b'.repeat(32), viewer, now })).toBe('bad');
    const renamed = minted(0x23, randomBytes(22), requestId);
    expect(opening.checkSession(renamed, { requestId, viewer, now })).toBe('bad');
  });

  test('click key · tagged by HMAC · opens to its click', () => {
    const clickEventId = randomUUID();
    const bytes = Buffer.from(clickEventId.replaceAll('-', ''), 'hex');
    const text = minted(0x22, bytes, 'T1');
    expect(opening.openClick(text, { trackId: 'T1', viewer, now })).toEqual({ clickEventId });
    expect(opening.openClick(text, { trackId: 'T2', viewer, now })).toBe('bad');
    expect(opening.openClick(minted(0x24, bytes, 'T1'), { trackId: 'T1', viewer, now })).toBe(
      'bad',
    );
  });
});
