import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import {
  type BankAccountFields,
  canonicalDestination,
  maskDestination,
  maskName,
  readBankAccount,
  readDestination,
} from '../../../activities/withdrawals/payout-accounts.ts';
import { DomainError, type FieldError } from '../../../domain/errors.ts';

const GERMAN: BankAccountFields = {
  account_holder: 'Ada Lovelace',
  country: 'DE',
  currency: 'EUR',
  iban: 'DE89 3704 0044 0532 0130 00',
};

const faultsOf = (run: () => unknown): string[] =>
  errorsOf(run).map(({ field, code }) => `${field}:${code}`);

function errorsOf(run: () => unknown): readonly FieldError[] {
  try {
    run();
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.errors ?? [];
  }
}

describe('readBankAccount', () => {
  it('an IBAN with spaces in lower case · read · kept compact', () => {
    const account = readBankAccount({
      ...GERMAN,
      iban: 'de89 3704 0044 0532 0130 00',
      swift_bic: 'cobadeffxxx',
    });
    expect(account).toMatchObject({ iban: 'DE89370400440532013000', swiftBic: 'COBADEFFXXX' });
  });

  test.each<[string, BankAccountFields, string[]]>([
    ['one digit changed', { ...GERMAN, iban: 'DE88370400440532013000' }, ['iban:format']],
    ['of another country', { ...GERMAN, country: 'FR' }, ['iban:country']],
    [
      'an account number where IBANs rule',
      { ...GERMAN, iban: null, account_number: '532013000' },
      ['iban:required'],
    ],
    ['both', { ...GERMAN, account_number: '1234' }, ['account_number:exclusive']],
    ['a wrong BIC', { ...GERMAN, swift_bic: 'COBA' }, ['swift_bic:format']],
    [
      'everything wrong at once',
      { account_holder: ' ', country: 'XX', currency: 'EURO', iban: 'X' },
      ['account_holder:required', 'country:format', 'currency:format', 'iban:format'],
    ],
    [
      'US · a routing number with a wrong check digit',
      {
        ...GERMAN,
        country: 'US',
        iban: null,
        account_number: '123456789',
        routing_number: '021000022',
      },
      ['routing_number:format'],
    ],
    [
      'US · a routing number that holds',
      {
        ...GERMAN,
        country: 'US',
        iban: null,
        account_number: '123456789',
        routing_number: '021000021',
      },
      [],
    ],
    [
      'GB · no sort code',
      { ...GERMAN, country: 'GB', iban: null, account_number: '31926819' },
      ['sort_code:format'],
    ],
    [
      'GB · sort code with hyphens',
      { ...GERMAN, country: 'GB', iban: null, account_number: '31926819', sort_code: '60-16-13' },
      [],
    ],
    [
      'CN · cnaps code missing',
      { ...GERMAN, country: 'CN', iban: null, account_number: '6222020000000000000' },
      ['cnaps_code:format'],
    ],
    [
      'elsewhere · no BIC',
      { ...GERMAN, country: 'JP', iban: null, account_number: '1234567' },
      ['swift_bic:required'],
    ],
    [
      'elsewhere · with BIC',
      { ...GERMAN, country: 'JP', iban: null, account_number: '1234567', swift_bic: 'BOTKJPJT' },
      [],
    ],
  ])('%s · checked · %p', (_name, fields, faults) => {
    expect(faultsOf(() => readBankAccount(fields))).toEqual(faults);
  });
});

const BOTH = ['ERC20', 'TRC20'] as const;

describe('readDestination', () => {
  test.each([
    [
      'an ERC20 address in its EIP-55 form',
      'USDT',
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      [],
    ],
    [
      'the same in lower case, without checksum',
      'USDT',
      '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
      ['account_info:format'],
    ],
    [
      'one letter of another case',
      'USDT',
      '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      ['account_info:format'],
    ],
    ['a TRC20 address', 'USDT', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', []],
    [
      'with two letters swapped',
      'USDT',
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjL6jt',
      ['account_info:format'],
    ],
    ['a Bitcoin address', 'USDT', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', ['account_info:format']],
    ['an e-mail address', 'PAYPAL', 'ada@example.com', []],
    ['no host', 'PAXUM', 'ada@', ['account_info:format']],
    ['two lines', 'PAXUM', 'ada@example.com\nbcc: x@example.com', ['account_info:format']],
    ['nothing', 'PAYPAL', null, ['account_info:required']],
  ] as const)('%s · for %s · %p', (_name, channel, text, faults) => {
    expect(faultsOf(() => readDestination(channel, text, BOTH))).toEqual(faults);
  });

  it.each([
    [BOTH, 'must be an ERC20 or TRC20 address with a valid checksum'],
    [['ERC20'], 'must be an ERC20 address with a valid checksum'],
  ] as const)('no address · where %p is paid on · names no other', (networks, words) => {
    const refused = () => readDestination('USDT', '1BvBMSEYstWetqTFn5', networks);
    expect(errorsOf(refused).map(({ message }) => message)).toEqual([words]);
  });
});

describe('masks', () => {
  it('every channel · masked · no number in full', () => {
    const account = readBankAccount(GERMAN);
    expect(maskDestination({ channel: 'BANK', account })).toBe('DE89****3000');
    expect(
      maskDestination(readDestination('USDT', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', BOTH)),
    ).toBe('TRC20 TR7NHq****Lj6t');
    expect(maskDestination(readDestination('PAYPAL', 'Ada.L@example.com', BOTH))).toBe(
      'a***@example.com',
    );
    expect(maskName('Ada Lovelace')).toBe('A** L*******');
  });

  it('one account typed in two ways · made canonical · the same text', () => {
    const first = readBankAccount(GERMAN);
    const second = readBankAccount({
      ...GERMAN,
      iban: 'de89370400440532013000',
      account_holder: 'A. Lovelace',
    });
    expect(canonicalDestination({ channel: 'BANK', account: second })).toBe(
      canonicalDestination({ channel: 'BANK', account: first }),
    );
  });
});

/** The checksum of Ethereum's addresses needs this one, and not the SHA-3 that came of it. */
test.each([
  ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
  ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
  ['testing', '5f16f4c7f149ac4f9510d9cf8cf384038ad348b3bcdc01915f95de12df9d1b02'],
])('keccak-256 · of %p · the published digest', (text, digest) => {
  expect(bytesToHex(keccak_256(utf8ToBytes(text)))).toBe(digest);
});
