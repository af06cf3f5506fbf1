import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { hmacOnce, RequestHmac } from '../../../domain/tracking/hmac.ts';

test('hmac · any key and text, also empty, long and beyond ASCII · is what createHmac says', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 });
  const key = fc.oneof(fc.string({ maxLength: 70 }), text);
  fc.assert(
    fc.property(key, text, (secret, message) => {
      const expected = createHmac('sha256', secret).update(message).digest('base64url');
      expect(hmacOnce(secret, message)).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

test('hmac · many texts by one key of bytes, in turn · each is what createHmac says', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 130 }),
      fc.array(fc.string({ unit: 'grapheme', maxLength: 250 }), { maxLength: 5 }),
      (bytes, texts) => {
        const key = Buffer.from(bytes);
        const hmac = new RequestHmac(key);
        for (const text of texts) {
          const expected = createHmac('sha256', key).update(text).digest('binary');
          expect(hmac.of(text, 'binary')).toBe(expected);
        }
      },
    ),
  );
});
