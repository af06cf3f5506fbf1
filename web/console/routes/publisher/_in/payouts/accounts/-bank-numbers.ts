/** Countries whose banks name an account by its IBAN alone; the United Kingdom's take both. */
const IBAN_COUNTRIES = new Set(
  (
    'AD AE AL AT AZ BA BE BG BH BI BR BY CH CR CY CZ DE DJ DK DO EE EG ES FI FK FO FR GE GI GL ' +
    'GR GT HR HU IE IL IQ IS IT JO KW KZ LB LC LI LT LU LV LY MC MD ME MK MN MR MT MU NI NL NO ' +
    'OM PK PL PS PT QA RO RS RU SA SC SD SE SI SK SM SO ST SV TL TN TR UA VA VG XK YE'
  ).split(' '),
);

export type BankNumber =
  | 'iban'
  | 'account_number'
  | 'routing_number'
  | 'sort_code'
  | 'cnaps_code'
  | 'swift_bic';

/** Which numbers a country's accounts are named by (interface 4.12), and whether each is needed. */
export function numbersOf(
  country: string | null,
): readonly { name: BankNumber; needed: boolean }[] {
  if (country === null) return [];
  const needed = (name: BankNumber) => ({ name, needed: true });
  const optional = (name: BankNumber) => ({ name, needed: false });
  if (IBAN_COUNTRIES.has(country)) return [needed('iban'), optional('swift_bic')];
  switch (country) {
    case 'US':
      return [needed('routing_number'), needed('account_number'), optional('swift_bic')];
    case 'GB':
      return [needed('sort_code'), needed('account_number'), optional('swift_bic')];
    case 'CN':
      return [needed('cnaps_code'), needed('account_number'), optional('swift_bic')];
    default:
      return [needed('account_number'), needed('swift_bic')];
  }
}
