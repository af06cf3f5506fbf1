import { texts } from '../parts/texts.ts';
import { ledgerNamesInChinese } from './ledger-zh.ts';

const spoken = (name: string): string => name.toLowerCase().replaceAll('_', ' ');

/** Kinds of transfers and of their batches: names of the books, which the API lists (interface 5.2). */
export const ledgerTexts = texts({
  en: { kind: spoken },
  zh: { kind: (name) => ledgerNamesInChinese[name] ?? spoken(name) },
});
