import type { Finding } from './finding.ts';

/** What an ad says to its viewers; null is nothing. */
export interface AdCopy {
  title: string | null;
  description: string | null;
  buttonText: string | null;
  brandName: string | null;
  displayUrl: string | null;
}

/** The same copy by the fields of the interface. */
const FIELDS = {
  title: 'title',
  description: 'description',
  buttonText: 'button_text',
  brandName: 'brand_name',
  displayUrl: 'display_url',
} as const satisfies Record<keyof AdCopy, string>;
const NAMES = Object.keys(FIELDS) as (keyof AdCopy)[];

export interface CopyFacts extends AdCopy {
  /** No approved revision of an ad of this advertiser says exactly this. */
  copyIsNew: boolean;
  /** Registrable domains of the address that is shown, and of the page that a click leads to. */
  displaySite: string | null;
  landingSite: string | null;
  /** Names that are not to be borrowed (setting `review.brands`). */
  brands: readonly string[];
}

/** A person reads what viewers will read, once. */
export function copyFindings(facts: CopyFacts): Finding[] {
  const findings: Finding[] = [];
  const field = NAMES.find((name) => hasText(facts[name]));
  if (facts.copyIsNew && field !== undefined) {
    findings.push({ code: 'COPY_NEW', severity: 'notice', field: FIELDS[field] });
  }
  if (hasText(facts.displayUrl)) findings.push(...displayFindings([facts.displaySite], facts));
  for (const name of NAMES) {
    const brand = facts.brands.find((each) => names(facts[name] ?? '', each));
    if (brand === undefined) continue;
    findings.push({ code: 'BRAND_NAMED', severity: 'notice', field: FIELDS[name], note: brand });
  }
  return findings;
}

/** The addresses that ads show must be of the site that they lead to; null is an address of none. */
export function displayFindings(
  shown: readonly (string | null)[],
  { landingSite }: { landingSite: string | null },
): Finding[] {
  const other = shown.find((site) => site === null || site !== landingSite);
  if (other === undefined) return [];
  const note = `${other ?? '?'} ≠ ${landingSite ?? '?'}`;
  return [{ code: 'DISPLAY_HOST_DIFFERS', severity: 'notice', field: 'display_url', note }];
}

const hasText = (value: string | null): boolean => value !== null && value.trim() !== '';

/** Letters of other alphabets that pass for Latin ones, and digits that pass for letters. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  ј: 'j',
  ѕ: 's',
  ԁ: 'd',
  ӏ: 'l',
  в: 'b',
  к: 'k',
  м: 'm',
  н: 'h',
  т: 't',
  α: 'a',
  ο: 'o',
  ρ: 'p',
  ν: 'v',
  ι: 'i',
  κ: 'k',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ɡ: 'g',
  ı: 'i',
  0: 'o',
  1: 'l',
  3: 'e',
  5: 's',
};

/** As an eye takes it: no case, marks, widths or borrowed letters. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/./gsu, (letter) => LOOKS_LIKE[letter] ?? letter);
const wordsOf = (text: string): string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Whether a text says a name as words of its own, in one word with others (`paypal-login`) or spaced out. */
function names(text: string, brand: string): boolean {
  const brandWords = wordsOf(brand);
  if (brandWords.length === 0) return false;
  const words = ` ${wordsOf(text).join(' ')} `;
  if (words.includes(` ${brandWords.join(' ')} `)) return true;
  const one = brandWords.join('');
  const letters = wordsOf(text)
    .map((word) => (word.length === 1 ? word : ` ${word} `))
    .join('');
  // A short name is part of too many words.
  const pattern = one.length < 6 ? ` ${one} ` : one;
  return ` ${letters} `.includes(pattern);
}
