import { accountMessages } from './account-zh.ts';
import { creativeMessages } from './creative-zh.ts';
import { depositMessages } from './deposit-zh.ts';
import { deskMessages } from './desk-zh.ts';
import { fieldMessages } from './field-zh.ts';
import { generalMessages } from './general-zh.ts';
import { inventoryMessages } from './inventory-zh.ts';
import { payoutMessages } from './payout-zh.ts';
import { publisherMessages } from './publisher-zh.ts';

/** What the API says, by its own English; `{0}` stands for what is filled in. */
export const messagesInChinese: Readonly<Record<string, string>> = {
  ...generalMessages,
  ...fieldMessages,
  ...accountMessages,
  ...inventoryMessages,
  ...creativeMessages,
  ...publisherMessages,
  ...depositMessages,
  ...payoutMessages,
  ...deskMessages,
};

const PLACE = /\{\d+\}/g;
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The one that says most of its own comes first: `{0} is not {1}.` fits a lot. */
const PATTERNS = Object.entries(messagesInChinese)
  .filter(([said]) => said.search(PLACE) >= 0)
  .sort(([a], [b]) => b.replace(PLACE, '').length - a.replace(PLACE, '').length)
  .map(([said, words]) => {
    const between = said.split(PLACE).map(escaped);
    return { words, pattern: new RegExp(`^${between.join('(.+?)')}$`, 's') };
  });

/** Says a message of the API in Chinese, what is filled in by its name; as it was sent where it is not known. */
export function catalogueWith(names: Readonly<Record<string, string>>): (said: string) => string {
  const known = (said: string): string | undefined => {
    if (Object.hasOwn(messagesInChinese, said)) return messagesInChinese[said];
    for (const { pattern, words } of PATTERNS) {
      const values = pattern.exec(said)?.slice(1);
      if (values !== undefined) return words.replace(PLACE, (place) => valueAt(values, place));
    }
    return undefined;
  };
  const valueAt = (values: readonly string[], place: string): string =>
    filledIn(values[Number(place.slice(1, -1))] ?? '');
  /** A name, a part of a sentence, or several of these; the sentence around it has the full stop. */
  const filledIn = (value: string): string => {
    const word = Object.hasOwn(names, value) ? names[value] : known(value);
    if (word !== undefined) return word.replace(/。$/, '');
    return value.includes(', ') ? value.split(', ').map(filledIn).join('、') : value;
  };
  return (said) => known(said) ?? said;
}
