import fc from 'fast-check';
import {
  callbackPayload,
  callbackQuery,
  type GrantedReward,
  isFresh,
  PLAIN,
  readCallback,
  rewardItemOf,
  watchLeftMs,
} from '../../domain/reward.ts';

const NOW = 1_763_600_000_000;
const reward: GrantedReward = {
  transactionId: 'ab'.repeat(16),
  adUnit: 'zone_abcdefgh',
  userId: 'user-1',
  customData: '',
  rewardAmount: 10,
  rewardItem: 'coin',
  grantedAt: new Date(NOW),
};
const SIGNATURE = 'MEUCIQ'.padEnd(96, 'x');

describe('the callback of a reward', () => {
  test('its payload · names everything in alphabetical order, nothing escaped', () => {
    expect(callbackPayload(reward)).toBe(
      `ad_network=adplatform&ad_unit=zone_abcdefgh&custom_data=&reward_amount=10&reward_item=coin` +
        `&timestamp=${NOW}&transaction_id=${'ab'.repeat(16)}&user_id=user-1`,
    );
  });

  test('its query · is read back whole, whatever the user is called', () => {
    const plain = fc.stringMatching(/^[A-Za-z0-9._~-]{0,60}$/);
    fc.assert(
      fc.property(plain, plain, fc.nat(), (userId, customData, keyId) => {
        const payload = callbackPayload({ ...reward, userId, customData });
        const read = readCallback(callbackQuery(payload, SIGNATURE, keyId));
        expect(read).toMatchObject({ payload, signature: SIGNATURE, keyId });
        expect(read?.fields.get('user_id')).toBe(userId);
        // Read raw or decoded, the bytes are the same.
        expect(decodeURIComponent(payload)).toBe(payload);
      }),
    );
  });

  test.each([
    ['nothing', ''],
    ['no signature', 'a=1&key_id=1'],
    ['no key', `a=1&signature=${SIGNATURE}`],
    ['another order', `a=1&key_id=1&signature=${SIGNATURE}`],
    ['something behind it', `a=1&signature=${SIGNATURE}&key_id=1&reward_amount=99`],
    ['a second signature', `a=1&signature=${SIGNATURE}&signature=${SIGNATURE}&key_id=1`],
    ['a key among the fields', `key_id=2&a=1&signature=${SIGNATURE}&key_id=1`],
    ['no payload', `&signature=${SIGNATURE}&key_id=1`],
    ['a key that is no number', `a=1&signature=${SIGNATURE}&key_id=x`],
  ])('a query with %s · is none', (_name, query) => {
    expect(readCallback(query)).toBeNull();
  });

  test.each([
    [String(NOW), true],
    [String(NOW - 900_000), true],
    [String(NOW - 900_001), false],
    [String(NOW + 900_001), false],
    ['', false],
    ['now', false],
    [null, false],
  ])('a timestamp of %p · is fresh: %p', (timestamp, fresh) => {
    expect(isFresh(timestamp, NOW)).toBe(fresh);
  });
});

test.each([
  ['coin', 'coin'],
  ['gold coins', 'gold-coins'],
  ['M\u00fcnzen', 'M-nzen'],
  ['\u{1f4b0}', '-'],
])('a reward called %p · is told as %p', (name, item) => {
  expect(rewardItemOf(name)).toBe(item);
  expect(rewardItemOf(name)).toMatch(PLAIN);
});

test.each([
  [0, 14_000],
  [13_999, 1],
  [14_000, 0],
  [99_000, 0],
])('%d ms of 15 s watched · %d ms are left', (passedMs, leftMs) => {
  expect(watchLeftMs(NOW, 15, NOW + passedMs)).toBe(leftMs);
});
