/**
 * Whether two names are of one person or company, as a bank and a register may write them (interface 4.12). It never
 * decides: what differs is looked at by a person, and so are names in two scripts, which no rule compares.
 */
export interface NameRule {
  /** Of a company every word counts; of a person a middle name may be left out, and a first one be an initial. */
  isCompany: boolean;
}

export function isSameName(one: string, other: string, rule: NameRule): boolean {
  const [left, right] = [readingsOf(one), readingsOf(other)];
  return left.some((a) => right.some((b) => isOne(a, b, rule)));
}

/** A name by its words in an order of its own, and its legal form apart; `form` is '' where none is named. */
interface Reading {
  words: readonly string[];
  form: string;
}

const FORMS: Readonly<Record<string, readonly string[]>> = {
  limited: ['ltd', 'limited'],
  inc: ['inc', 'incorporated'],
  corp: ['corp', 'corporation'],
  company: ['co', 'company'],
  llc: ['llc'],
  llp: ['llp'],
  plc: ['plc'],
  gmbh: ['gmbh'],
  ug: ['ug'],
  ag: ['ag'],
  kg: ['kg'],
  sa: ['sa'],
  sas: ['sas'],
  sarl: ['sarl'],
  srl: ['srl'],
  spa: ['spa'],
  sl: ['sl'],
  bv: ['bv'],
  nv: ['nv'],
  oy: ['oy'],
  ab: ['ab'],
  as: ['as'],
  aps: ['aps'],
  kft: ['kft'],
  sro: ['sro'],
  kk: ['kk'],
  pty: ['pty'],
  pte: ['pte'],
};
const FORM_OF = new Map(
  Object.entries(FORMS).flatMap(([form, ways]) => ways.map((way) => [way, form] as const)),
);
/** `Co., Ltd.` is one form, and so are `Pty Ltd` and `Pte Ltd`. */
const JOINED = new Map([
  ['company limited', 'limited'],
  ['limited pty', 'limited'],
  ['limited pte', 'limited'],
]);
/** The longer ones first. */
const CHINESE_FORMS: readonly (readonly [RegExp, string])[] = [
  [/股份有限公司$/, '股份'],
  [/(?:有限责任公司|有限責任公司|有限公司)$/, '有限'],
  [/公司$/, ''],
];
const TITLES = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'prof', 'herr', 'frau']);
/** Letters that no mark makes of another: taken apart they stay what they are. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};
const SPELT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };
const HAN = /\p{Script=Han}/u;

/** With marks left away, and as a bank without them spells them out: `Müller` is `muller` and `mueller`. */
function readingsOf(name: string): Reading[] {
  const lower = name.normalize('NFKC').toLowerCase();
  const spelt = lower.replace(/[äöüøå]/g, (letter) => SPELT[letter] ?? letter);
  return [...new Set([lower, spelt])].map(readingOf);
}

function readingOf(lower: string): Reading {
  const plain = lower
    .replace(/[ßæœøđðłþı]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    // `S.A.` and `O’Brien` are one word; whatever else stands between words parts them.
    .replace(/[.'’‘`]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return HAN.test(plain) ? chineseReading(plain) : latinReading(plain);
}

/** Written without spaces, whoever puts some in. */
function chineseReading(plain: string): Reading {
  const whole = plain.replaceAll(' ', '');
  for (const [suffix, form] of CHINESE_FORMS) {
    const rest = whole.replace(suffix, '');
    if (rest !== whole && rest !== '') return { words: [rest], form };
  }
  return { words: [whole], form: '' };
}

function latinReading(plain: string): Reading {
  const all = plain.split(' ').filter((word) => word !== 'and' && !TITLES.has(word));
  const words = all.filter((word) => !FORM_OF.has(word));
  // A name of nothing but such words is a name.
  if (words.length === 0) return { words: all.toSorted(), form: '' };
  const forms = [...new Set(all.flatMap((word) => FORM_OF.get(word) ?? []))].toSorted().join(' ');
  return { words: words.toSorted(), form: JOINED.get(forms) ?? forms };
}

/** Ltd and GmbH are two companies; where one side names no form, its name is all there is. */
function isOne(one: Reading, other: Reading, { isCompany }: NameRule): boolean {
  if (one.form !== '' && other.form !== '' && one.form !== other.form) return false;
  if (one.words.join(' ') === other.words.join(' ')) return one.words.join('') !== '';
  return !isCompany && isPart(one.words, other.words);
}

/** Every word of the shorter is one of the longer, an initial counts for its word, and one at least is whole. */
function isPart(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const left = [...long];
  let whole = 0;
  for (const word of short.toSorted((a, b) => b.length - a.length)) {
    const exact = left.indexOf(word);
    const at = exact >= 0 ? exact : left.findIndex((each) => isInitial(word, each));
    const [found] = at < 0 ? [] : left.splice(at, 1);
    if (found === undefined) return false;
    if (word.length > 1 && found.length > 1) whole += 1;
  }
  return short.length >= 2 && whole > 0;
}

const isInitial = (one: string, other: string): boolean =>
  (one.length === 1 && other.startsWith(one)) || (other.length === 1 && one.startsWith(other));
