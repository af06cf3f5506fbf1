import { AD_WORDS, type AdWords, adWordsIn } from '../../domain/creative/ad-words.ts';
import { asciiText, type ByteText, byteText } from '../http/byte-text.ts';

/** The words of a page's language, as answers hold them: made once for each language. */
export interface Labels {
  words: AdWords;
  lang: ByteText;
  adName: ByteText;
  /** `labels` of an answer, as JSON. */
  json: ByteText;
}

const made = new Map<AdWords, Labels>(
  AD_WORDS.map((words) => [
    words,
    {
      words,
      lang: asciiText(words.lang),
      adName: byteText(words.ad),
      json: byteText(JSON.stringify(words)),
    },
  ]),
);

export function labelsIn(pageLang: string): Labels {
  const labels = made.get(adWordsIn(pageLang));
  if (labels === undefined) throw new Error(`no labels for ${pageLang}`);
  return labels;
}
