/** Text in the languages that consoles speak. */
export interface Texts {
  en: string;
  zh: string;
}

/** What an operator may say no with (interface 5.4). */
export interface Reason {
  /** RETRY: the owner may mend it and ask again. FINAL: asking again changes nothing. */
  kind: 'FINAL' | 'RETRY';
  title: Texts;
  /** For the owner: what to do next. */
  text: Texts;
  /** For the operator: when to give it. */
  guidance: Texts;
}
