/**
 * Characters that are no text: U+0000 to U+001F and U+007F to U+009F. PostgreSQL cannot hold the first of
 * them, and nobody can read the others. Unicode's name for them stands in every pattern of them.
 */

/** What may stand in one line. */
export const ONE_LINE = /^\P{Cc}*$/u;
/** The same, and something of it can be seen: not spaces alone, nor what fonts draw nothing for (U+2800 has no dots). */
export const NAMING_LINE = /^(?=.*[^\s\u2800\p{Default_Ignorable_Code_Point}])\P{Cc}*$/u;
/** Likewise, where there may be none. */
export const NAMING_LINE_OR_NONE =
  /^(?:(?=.*[^\s\u2800\p{Default_Ignorable_Code_Point}])\P{Cc}*)?$/u;
/** What may stand in one or more lines. */
export const LINES = /^(?:\P{Cc}|[\t\n\r])*$/u;
/** What no address holds. */
export const SPACE_OR_CONTROL = /[\p{Cc} ]/u;
/** XML holds none of these; it may hold U+007F to U+009F. */
export const NOT_OF_XML = /(?![\t\n\r\u007f-\u009f])\p{Cc}|[\p{Cs}\ufffe\uffff]/u;

/** In one line, with one space for each run of them and of other white space. */
export const inOneLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim();

/** With `instead` for each of them but tabs and line ends. */
export const withoutControls = (text: string, instead: string): string =>
  text.replace(/(?![\t\n])\p{Cc}/gu, instead);
