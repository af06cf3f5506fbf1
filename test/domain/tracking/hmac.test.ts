import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { hmacOnce } from '../../../domain/tracking/hmac.ts';

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
