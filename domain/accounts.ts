import { type FieldError, invalid } from './errors.ts';

/** interface 4.1: letters, digits, underscore. Without `@`, so it can never be read as an e-mail. */
export const USERNAME_PATTERN = /^[A-Za-z0-9_]{3,30}$/;
const USERNAME_MAX = 30;

const PASSWORD_MIN = 8;
const PASSWORD_MAX = 128;

/**
 * Username from an e-mail address: its local part, other characters as underscores. `suffix` tells
 * a second `anna` from the first and is kept whole when the name has to be cut.
 */
export function usernameFrom(email: string, suffix = ''): string {
  const local = email.slice(0, email.lastIndexOf('@')).normalize('NFKD');
  const plain = local
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '');
  const stem = plain.length < 3 ? `user_${plain}`.replace(/_$/, '') : plain;
  return stem.slice(0, USERNAME_MAX - suffix.length) + suffix;
}

/** Raises validation_failed on `field` for a password that is too short, too long or well known. */
export function requireStrongPassword(
  field: string,
  password: string,
  owner: { email: string; username?: string | undefined },
): void {
  const fault = passwordFault(password, owner);
  if (fault !== undefined) throw invalid({ field, ...fault });
}

/** Why a password is not accepted, or undefined. */
export function passwordFault(
  password: string,
  owner: { email: string; username?: string | undefined },
): Omit<FieldError, 'field'> | undefined {
  // Characters as a person counts them, not UTF-16 units.
  const characters = Array.from(password).length;
  if (characters < PASSWORD_MIN) {
    return { code: 'min', message: `must be at least ${PASSWORD_MIN} characters` };
  }
  if (characters > PASSWORD_MAX) {
    return { code: 'max', message: `must be at most ${PASSWORD_MAX} characters` };
  }
  const folded = password.toLowerCase();
  if (COMMON_PASSWORDS.has(folded) || isRepetition(folded)) {
    return { code: 'too_common', message: 'is too easy to guess' };
  }
  if (isOursAlone(folded)) {
    return {
      code: 'too_common',
      message: 'must not be a word of this platform with a few more signs',
    };
  }
  if (folded === owner.email.toLowerCase() || folded === owner.username?.toLowerCase()) {
    return { code: 'too_common', message: 'must differ from the e-mail address and username' };
  }
  return undefined;
}

/**
 * Words of this platform and trade (interface 5.17): whoever guesses at it begins with them. A password that is
 * nothing but these, with figures and signs between, is refused; as a part of a longer one they may stand.
 */
const PLATFORM_WORDS = [
  'adplatform',
  'platform',
  'advertiser',
  'advertising',
  'publisher',
  'campaign',
  'operator',
  'reviewer',
  'finance',
  'support',
  'console',
  'creative',
  'impression',
  'conversion',
  'withdrawal',
  'deposit',
] as const;
const PLATFORM_WORD = new RegExp(PLATFORM_WORDS.join('|'), 'g');

/** `Adplatform-2026!`: what is left without the words and the usual signs and figures is next to nothing. */
const isOursAlone = (folded: string): boolean =>
  PLATFORM_WORDS.some((word) => folded.includes(word)) &&
  folded.replace(PLATFORM_WORD, '').replace(/[\d\W_]/g, '').length < 3;

/** `aaaaaaaa`, `abababab`, `12121212`: at most two characters, over and over. */
const isRepetition = (text: string): boolean => /^(.{1,2})\1+$/u.test(text);

/** The head of every published list of leaked passwords, as far as it is 8 characters or longer. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `password password1 password12 password123 password1234 password! passw0rd p@ssw0rd p@ssword
   12345678 123456789 1234567890 12345678910 87654321 987654321 0987654321 11223344 123123123
   123321123 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 zaq12wsx q1w2e3r4 qwertyui qwertyuiop qwerty12
   qwerty123 qwerty1234 asdfghjk asdfghjkl zxcvbnm1 abcd1234 abc12345 abcdefgh abcdefg1 a1234567
   a12345678 a123456789 iloveyou iloveyou1 sunshine princess football baseball superman batman123
   starwars trustno1 whatever computer internet michelle jennifer welcome1 welcome123 letmein1
   letmein123 admin123 admin1234 administrator changeme changeme1 changeme123 secret123 master123
   monkey123 dragon123 shadow123 hello123 test1234 testtest testing123 default1 guest123 login123
   access14 mustang1 charlie1 pokemon1 liverpool samsung1 facebook google123 linkedin summer2024
   winter2024 spring2024 autumn2024 summer2025 winter2025 summer2026 winter2026 company123
   qweasdzxc qazwsxedc 1234qwer qwer1234 asdf1234 pass1234 user1234 root1234 temp1234 demo1234
   00000000 11111111 88888888 99999999 aa123456 woaini1314 5201314520 147258369 789456123 159753456`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
