import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { passwordFault, USERNAME_PATTERN, usernameFrom } from '../../domain/accounts.ts';

describe('usernameFrom', () => {
  test.each([
    ['anna@example.com', '', 'anna'],
    ['anna.lee+ads@example.com', '', 'anna_lee_ads'],
    ['anna@example.com', '_4711', 'anna_4711'],
    ['é@example.com', '', 'user_e'],
    ['張@example.com', '', 'user'],
    ['a@example.com', '', 'user_a'],
    [`${'x'.repeat(60)}@example.com`, '_4711', `${'x'.repeat(25)}_4711`],
  ])('usernameFrom · %s with suffix "%s" · is %s', (email, suffix, expected) => {
    expect(usernameFrom(email, suffix)).toBe(expected);
  });

  test('usernameFrom · any address · is always a legal username', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.integer({ min: 1_000, max: 99_999_999 }),
        (local, n) => {
          expect(usernameFrom(`${local}@example.com`)).toMatch(USERNAME_PATTERN);
          expect(usernameFrom(`${local}@example.com`, `_${n}`)).toMatch(USERNAME_PATTERN);
        },
      ),
    );
  });
});

describe('passwordFault', () => {
  const owner = { email: 'anna@example.com', username: 'anna_the_great' };
  test.each([
    ['', 'min'],
    ['seven77', 'min'],
    ['😀😀😀😀', 'min'],
    ['x1'.repeat(65), 'max'],
    ['password', 'too_common'],
    ['PassWord123', 'too_common'],
    ['aaaaaaaaaa', 'too_common'],
    ['ababababab', 'too_common'],
    ['Anna@Example.com', 'too_common'],
    ['anna_the_great', 'too_common'],
    ['advertiser1', 'too_common'],
    ['Adplatform-2026!', 'too_common'],
    ['campaign_campaign', 'too_common'],
    ['Publisher.99.x', 'too_common'],
  ])('passwordFault · %s · is refused as %s', (password, code) => {
    expect(passwordFault(password, owner)?.code).toBe(code);
  });

  test.each(['correct horse', 'xk4!pq9z', `${'y'.repeat(127)}z`])(
    'passwordFault · %s · is accepted',
    (password) => {
      expect(passwordFault(password, owner)).toBeUndefined();
    },
  );
});

test('passwords that are refused · are told in the interface, under the name of the refusal', () => {
  const text = readFileSync('docs/interface.md', 'utf8');
  const section = /New passwords[^]*?\n\n/.exec(text)?.[0] ?? '';
  for (const word of ['8 to 128', 'too_common', 'leaked', 'e-mail address']) {
    expect(section).toContain(word);
  }
});
