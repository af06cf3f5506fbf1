/** What is sent in place of a good value; each kind of field refuses some of it. */
const LONG = 'x'.repeat(30_000);

const WRONG = {
  object: { a: 1 },
  array: [1],
  boolean: true,
  number: 7,
  fraction: 1.5,
  tiny: 0.000_000_1,
  huge: 1e308,
  negative: -1,
  text: 'nothing-like-it',
  digits: '5',
  empty: '',
  long: LONG,
  control: 'a\u0000b',
  /** What follows is read from right to left. */
  turned: 'moc.\u202elapyap',
  hidden: 'pay\u200bpal',
  /** Something, and nothing of it is drawn. */
  unseen: '\u3164\u00ad\u2800',
  script: 'see java\tscript:alert(1)',
  data: 'data:text/html,<b>x</b>',
  /** One host to a browser, another to other programs. */
  twoHosts: 'https://shop.example\\@elsewhere.example/',
  noSlashes: 'https:shop.example/',
  listOfTurned: ['a\u202eb'],
  listOfObjects: [{}],
  listOfNull: [null],
  listOfLists: [[1]],
  listTooLong: Array.from({ length: 100_000 }, () => 1),
  unknownPart: { no_such_part: 1 },
  null: null,
} as const;
type Label = keyof typeof WRONG;

const NOT_TEXT: Label[] = ['object', 'array', 'boolean', 'number', 'null', 'long', 'control'];
/** What nobody else should have to read (domain/readable-text.ts). */
export const UNREADABLE: readonly Label[] = ['turned', 'hidden', 'script', 'data'];
const NOT_NUMBER: Label[] = ['object', 'array', 'boolean', 'text', 'digits', 'null', 'long'];
const NOT_LIST: Label[] = ['object', 'boolean', 'number', 'text', 'null'];

/** Per kind, what must be refused with 422 naming the field. */
const REFUSED = {
  /** Free text; what is long or holds a control character is refused, too. */
  text: [...NOT_TEXT, ...UNREADABLE],
  /** What is run in a box of its own, and shown as code. */
  code: NOT_TEXT,
  /** Text that is compared and never stored. */
  secret: NOT_TEXT.filter((label) => label !== 'control'),
  name: [...NOT_TEXT, ...UNREADABLE, 'empty', 'unseen'],
  word: [...NOT_TEXT, ...UNREADABLE, 'text', 'empty'],
  url: [...NOT_TEXT, ...UNREADABLE, 'text', 'twoHosts', 'noSlashes'],
  day: [...NOT_TEXT, 'text'],
  /** Decimal text is an amount, too. */
  amount: [
    ...NOT_NUMBER.filter((label) => label !== 'digits'),
    'empty',
    'negative',
    'huge',
    'tiny',
  ],
  whole: [...NOT_NUMBER, 'negative', 'huge', 'fraction'],
  flag: ['object', 'array', 'number', 'text', 'null', 'long'],
  words: [
    ...NOT_LIST,
    'array',
    'listOfObjects',
    'listOfNull',
    'listOfLists',
    'listOfTurned',
    'listTooLong',
  ],
  numbers: [...NOT_LIST, 'listOfObjects', 'listOfNull', 'listOfLists', 'listTooLong'],
  list: [...NOT_LIST, 'array', 'listOfObjects', 'listOfNull', 'listOfLists', 'listTooLong'],
  /** Its names are the caller's own. */
  map: ['array', 'boolean', 'number', 'text', 'null', 'long', 'listOfObjects'],
  part: ['array', 'boolean', 'number', 'text', 'null', 'unknownPart', 'listOfObjects'],
} as const satisfies Record<string, readonly Label[]>;
export type Kind = keyof typeof REFUSED;

export interface Field {
  kind: Kind;
  good: unknown;
  nullable: boolean;
  required: boolean;
  /** Labels that this field takes although its kind does not. */
  takes: readonly Label[];
  /** Said once, when the thing is made. */
  createOnly: boolean;
  /** Left out of the good body. */
  apart: boolean;
}

export interface FieldRules {
  nullable?: boolean;
  required?: boolean;
  takes?: readonly Label[];
  createOnly?: boolean;
  apart?: boolean;
}

export const field = (kind: Kind, good: unknown, rules: FieldRules = {}): Field => ({
  kind,
  good,
  nullable: rules.nullable ?? false,
  required: rules.required ?? false,
  takes: rules.takes ?? [],
  createOnly: rules.createOnly ?? false,
  apart: rules.apart ?? false,
});

export function wrongValues({ kind, nullable, takes }: Field): [label: string, value: unknown][] {
  const labels: readonly Label[] = REFUSED[kind];
  return labels
    .filter((label) => !(nullable && label === 'null') && !takes.includes(label))
    .map((label) => [label, WRONG[label]]);
}

/** Of no kind of field. */
export const wrongForAll = ({ kind }: Field): unknown =>
  kind === 'part' || kind === 'map' ? ['neither'] : { neither: 1 };

/** 30,000 brackets deep; text, because writing such a value as JSON is what some code dies of. */
export const DEEP = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;

export type QueryKind = 'page' | 'pageSize' | 'id' | 'wait' | 'word' | 'day' | 'text' | 'token';

const NUL = 'a%00b';
/** A program takes the second line for numbers; a person who reads a log does not. */
const NOT_WHOLE = ['abc', '-1', '0', '1.5', 'NaN', 'Infinity', '1e400', NUL].concat([
  '0x1',
  '0b1',
  '1e3',
  '%201',
  '1%20',
  '%2B1',
  '+1',
  '01',
  '1.',
  '%EF%BC%91',
  '1_0',
]);

/** Raw query text, percent-encoded where it has to be. */
export const WRONG_QUERY: Record<QueryKind, readonly string[]> = {
  page: [...NOT_WHOLE, '10001'],
  pageSize: NOT_WHOLE,
  id: [...NOT_WHOLE, '99999999999999999999'],
  wait: [...NOT_WHOLE.filter((text) => text !== '0'), '21'],
  word: ['NO_SUCH_WORD', NUL, '%27%20OR%201=1--'],
  day: ['yesterday', '2026-13-01', '2026-02-30', '2026-1-1', NUL, '2026-01-01T00:00:00Z'],
  text: [NUL, 'x'.repeat(6_000), 'a%E2%80%AEb'],
  token: [NUL, 'x'.repeat(6_000), '%27', '{}'],
};

/** Odd, but of the right kind: never a fault of ours. */
export const ODD_QUERY: Record<QueryKind, readonly string[]> = {
  page: ['10000'],
  pageSize: ['1000', '1'],
  id: ['9007199254740991', '9007199254740993', '1'],
  wait: ['0'],
  word: [],
  day: ['0001-01-01', '9999-12-31', '0000-01-01', '1970-01-01'],
  text: [
    '%25',
    '_',
    '%5C',
    '%25_%5C',
    '%27%3B--',
    '%F0%9F%98%80',
    '%ED%A0%80',
    '%zz',
    '%',
    '%24%7B1%7D',
  ],
  token: ['no-such-thing'],
};

export const goodBody = (fields: Record<string, Field>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, { apart }]) => !apart)
      .map(([name, { good }]) => [name, good]),
  );
