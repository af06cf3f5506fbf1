import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { createRewardKeys } from '../../../domain/tracking/reward-keys.ts';

const first = { id: 1, secret: randomBytes(32) };
const second = { id: 2, secret: randomBytes(32) };
const keys = createRewardKeys([first, second]);
const token = {
  bidId: 'ab'.repeat(8),
  transactionId: 'cd'.repeat(16),
  endsAtMs: 1_700_000_000_000,
};

describe('reward tokens', () => {
  test('a token · minted · opens to its transaction and end, the same text each time', () => {
    const text = keys.mintToken(token);
    expect(text).toMatch(/^[A-Za-z0-9_-]{60}$/);
    expect(keys.mintToken(token)).toBe(text);
    expect(keys.openToken(text)).toEqual({
      transactionId: token.transactionId,
      endsAtMs: token.endsAtMs,
    });
  });

  test('a token · changed in any character, cut, or of other keys · does not open', () => {
    const text = keys.mintToken(token);
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === 'A' ? 'B' : 'A';
      expect(keys.openToken(text.slice(0, at) + other + text.slice(at + 1))).toBeNull();
      expect(keys.openToken(text.slice(0, at))).toBeNull();
    }
    for (const spoilt of [
      '',
      `${text}A`,
      `${text}=`,
      `${text.slice(0, -1)}%`,
      text.toLowerCase(),
    ]) {
      expect(keys.openToken(spoilt)).toBeNull();
    }
    const stranger = createRewardKeys([{ id: 1, secret: randomBytes(32) }]);
    expect(keys.openToken(stranger.mintToken(token))).toBeNull();
  });

  test('a rotation · the old key second · opens what the old one minted; a dropped one does not', () => {
    const old = createRewardKeys([second]).mintToken(token);
    expect(keys.openToken(old)).not.toBeNull();
    expect(createRewardKeys([first]).openToken(old)).toBeNull();
  });
});

describe('reward signatures', () => {
  const payload = 'ad_network=adplatform&reward_amount=1';

  test('a signature · verifies by the published key alone, as a publisher has it', () => {
    const { signature, keyId } = keys.sign(payload);
    const published = keys.published().find((key) => key.keyId === keyId);
    const spki = Buffer.from(published?.base64 ?? '', 'base64');
    const fromDer = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const bytes = Buffer.from(signature, 'base64url');
    expect(verify('sha256', Buffer.from(payload), fromDer, bytes)).toBe(true);
    expect(verify('sha256', Buffer.from(payload), published?.pem ?? '', bytes)).toBe(true);
    expect(fromDer.asymmetricKeyDetails).toMatchObject({ namedCurve: 'prime256v1' });
    expect(keys.verify(payload, signature, keyId)).toBe(true);
  });

  test('a signature · over other words, changed, or under another key · does not verify', () => {
    const { signature, keyId } = keys.sign(payload);
    expect(keys.verify(payload.replace('=1', '=1000'), signature, keyId)).toBe(false);
    expect(keys.verify(payload, `${signature}=`, keyId)).toBe(false);
    expect(keys.verify(payload, signature.slice(0, -2), keyId)).toBe(false);
    expect(keys.verify(payload, '', keyId)).toBe(false);
    expect(keys.verify(payload, signature, keyId + 1)).toBe(false);
    const [, other] = keys.published();
    expect(keys.verify(payload, signature, other?.keyId ?? 0)).toBe(false);
  });

  test('keys · of one secret · are the same in every process, and only public halves are shown', () => {
    const again = createRewardKeys([first, second]);
    expect(again.published()).toEqual(keys.published());
    expect(new Set(keys.published().map(({ keyId }) => keyId)).size).toBe(2);
    expect(JSON.stringify(keys.published())).not.toContain('PRIVATE');
    expect(keys.published().every(({ keyId }) => Number.isInteger(keyId) && keyId >= 0)).toBe(true);
  });
});
