import { readCsvStatement, type Mapping } from '../../../domain/bank-statement/lines.ts';
import { effectOf, orderReferencesIn, whyUnmatched } from '../../../domain/bank-statement/match.ts';
import { readMoney } from '../../../domain/bank-statement/values.ts';
import { depositReference } from '../../../domain/lifecycle/deposit.ts';

/** interface 5.12: what a statement says, or each fault with its row and column. */
const MAPPING: Mapping = {
  date: 'Date',
  amount: 'Amount',
  currency: 'Currency',
  reference: 'Reference',
  payer: 'Payer',
  remittance: 'Text',
  dayFormat: 'YYYY-MM-DD',
};
const RULES = { currency: 'USD', today: '2026-02-01' };
const HEAD = 'Date,Amount,Currency,Reference,Payer,Text';
const GOOD = '2026-01-05,10.50,USD,BK-1,Ada,RF';

const read = (text: string | Buffer, mapping: Partial<Mapping> = {}) =>
  readCsvStatement(Buffer.from(text), { ...MAPPING, ...mapping }, RULES);
const faultsOf = (text: string | Buffer, mapping?: Partial<Mapping>): string[] => {
  const statement = read(text, mapping);
  return 'faults' in statement ? statement.faults.map(({ message }) => message) : [];
};

test('a statement · with its mark, quotes and a line break in a cell · is read, money out beside', () => {
  const text = `\ufeff${HEAD}\r\n2026-01-05,10.50,usd,BK-1,"Ada ""A"" Bowline","two\nlines"\r\n\r\n2026-01-06,-3,USD,BK-2,,\r\n`;
  expect(read(text)).toEqual({
    others: [
      {
        line: 5,
        bookedOn: '2026-01-06',
        amountNanos: 3_000_000_000n,
        currency: 'USD',
        reference: 'BK-2',
        payer: null,
        remittance: null,
        direction: 'OUT',
        isReversal: false,
      },
    ],
    balances: [],
    lines: [
      {
        line: 2,
        bookedOn: '2026-01-05',
        amountNanos: 10_500_000_000n,
        currency: 'USD',
        reference: 'BK-1',
        payer: 'Ada "A" Bowline',
        remittance: 'two lines',
      },
    ],
  });
});

test('a statement · with semicolons, decimal commas and days first · is read as it says', () => {
  const text = 'Date;Amount;Text\n05.01.2026;1.234,56;x\n06.01.2026;7,5;y\n';
  const mapping = { currency: undefined, reference: undefined, payer: undefined } as const;
  const statement = read(text, { ...mapping, dayFormat: 'DD.MM.YYYY' });
  expect('lines' in statement && statement.lines.map((line) => line.amountNanos)).toEqual([
    1_234_560_000_000n,
    7_500_000_000n,
  ]);
});

test.each<[string, string | Buffer, string]>([
  ['UTF-16', Buffer.from('\ufeffDate', 'utf16le'), 'Row 1: the file is UTF-16; save it as UTF-8.'],
  [
    'Latin-1',
    Buffer.concat([Buffer.from(`${HEAD}\n2026-01-05,1,USD,B,M`), Buffer.from([0xfc, 0x0a])]),
    'Row 2: is not UTF-8; save the file as UTF-8.',
  ],
  ['nothing', '', 'Row 1: the file has a head and no lines, or nothing.'],
  ['an open quote', `${HEAD}\n"2026`, 'Row 2: a quotation mark is not closed.'],
  [
    'another delimiter',
    'Date;Amount,Currency,Reference,Payer,Text\nx',
    'Row 1, column "Date": there is no such column.',
  ],
  [
    'too few cells',
    `${HEAD}\n2026-01-05,1`,
    'Row 2: has 2 cells and the head 6; is the delimiter right?',
  ],
  ['no day', `${HEAD}\n05.01.2026,1,USD,B,,`, 'Row 2, column "Date": is no day as YYYY-MM-DD.'],
  ['a day to come', `${HEAD}\n2026-03-01,1,USD,B,,`, 'Row 2, column "Date": is in the future.'],
  [
    'no amount',
    `${HEAD}\n2026-01-05,=1+1,USD,B,,`,
    'Row 2, column "Amount": is no amount of at most six decimals.',
  ],
  [
    'an amount of two meanings',
    `${HEAD}\n2026-01-05,"1,234",USD,B,,`,
    'Row 2, column "Amount": may have thousands or decimals; say which decimal mark the file has.',
  ],
  [
    'another currency',
    `${HEAD}\n${GOOD}\n2026-01-05,1,EUR,B,,`,
    'Row 3, column "Currency": EUR is not USD.',
  ],
  [
    'a formula as reference',
    `${HEAD}\n2026-01-05,1,USD,=HYPERLINK(1),,`,
    'Row 2, column "Reference": begins as a formula.',
  ],
  [
    'a reference twice',
    `${HEAD}\n${GOOD}\n${GOOD}`,
    'Row 3, column "Reference": row 2 has this reference already.',
  ],
  [
    'a line twice without reference',
    `${HEAD}\n2026-01-05,1,USD,,A,x\n2026-01-05,1,USD,,A,x`,
    "Row 3: says the same as row 2; map the column of the bank's reference.",
  ],
  [
    'too many lines',
    `${HEAD}\n${'2026-01-05,1,USD,,A,x\n'.repeat(5_001)}`,
    'Row 5001: the file has more than 5000 lines; split it.',
  ],
])('%s · is refused by row and column', (_name, text, message) => {
  expect(faultsOf(text)[0]).toBe(message);
});

test('a payer’s words · that begin as a formula · are kept as text and stop nothing', () => {
  const statement = read(`${HEAD}\n2026-01-05,1,USD,B,=cmd|x,@SUM(1)`);
  expect('lines' in statement && statement.lines[0]).toMatchObject({
    payer: '=cmd|x',
    remittance: '@SUM(1)',
  });
});

test.each([
  ['1 234,50', undefined, 1_234_500_000_000n],
  ["1'234.5", undefined, 1_234_500_000_000n],
  ['12.345', 'comma', 12_345_000_000_000n],
  ['12.345', 'point', 12_345_000_000n],
  ['+7', undefined, 7_000_000_000n],
  ['7-', undefined, -7_000_000_000n],
] as const)('%s with decimal %s · is %s nanos', (cell, decimal, nanos) => {
  expect(readMoney(cell, decimal)).toEqual({ nanos });
});

test('an order’s reference · with spaces, twice, mistyped, or another’s beside it · is found for what it is', () => {
  const [one, two] = [depositReference(12), depositReference(13)];
  const spaced = `${one.slice(0, 4)} ${one.slice(4, 8)} ${one.slice(8)}`;
  const wrong = `${one.slice(0, -1)}${(Number(one.at(-1)) + 1) % 10}`;
  expect(orderReferencesIn(`Top-up ${spaced.toLowerCase()}, thanks`, one)).toEqual([one]);
  expect(orderReferencesIn(`${one} 20260105`)).toEqual([one]);
  expect(orderReferencesIn(wrong, null)).toEqual([]);
  expect(orderReferencesIn(`${one} and ${two}`)).toEqual([one, two]);
});

const ORDER = {
  amountNanos: 10n,
  currency: 'USD',
  status: 'PENDING',
  paymentMethod: 'BANK',
} as const;
const LINE = { amountNanos: 10n, currency: 'USD', orderReference: 'RF', hasSeveral: false };

test.each([
  [LINE, ORDER, null, 'CREDIT'],
  [{ ...LINE, amountNanos: 9n }, ORDER, 'AMOUNT_DIFFERS', 'REVIEW'],
  [LINE, { ...ORDER, status: 'EXPIRED' }, 'ORDER_ENDED', 'SUSPENSE'],
  [LINE, { ...ORDER, status: 'CONFIRMING' }, 'ORDER_HAS_MONEY', 'SUSPENSE'],
  [LINE, { ...ORDER, paymentMethod: 'USDT' }, 'OTHER_METHOD', 'CREDIT'],
  [LINE, { ...ORDER, currency: 'EUR' }, 'OTHER_CURRENCY', 'CREDIT'],
  [{ ...LINE, hasSeveral: true }, ORDER, 'SEVERAL_REFERENCES', 'CREDIT'],
] as const)('line %o for order %o · is %s', (line, order, why, effect) => {
  expect([whyUnmatched(line, order), effectOf(line, order, false)]).toEqual([why, effect]);
});

test('a line · above the limit · waits for a second person', () => {
  expect(effectOf(LINE, ORDER, true)).toBe('SECOND_APPROVAL');
  expect(whyUnmatched({ ...LINE, orderReference: null }, null)).toBe('NO_REFERENCE');
  expect(whyUnmatched(LINE, null)).toBe('UNKNOWN_REFERENCE');
});
