/**
 * Text that somebody else will read, as it stands: nothing in it turns round what is read, hides in it,
 * or runs. U+200C and U+200D stay: words of Persian and emoji are made with them.
 */

/** But for tabs and line ends. */
const CONTROL = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;
/** What turns the direction of writing, and what takes no room. */
const UNSEEN =
  /[\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;
/** Addresses that run or hold what they show; a browser reads them through line ends. */
const RUNS =
  /\b(?:java|vb|live)script\s*:|\bdata\s*:\s*(?:[\w.+-]+\/[\w.+-]+\s*)?[;,]|\b(?:blob|filesystem)\s*:\s*https?:|\bview-source\s*:/i;

export type TextFault = 'control' | 'direction' | 'script_address';

export const TEXT_FAULTS: Readonly<Record<TextFault, string>> = {
  control: 'must be readable text',
  direction: 'must not hold characters that turn or hide what is read',
  script_address: 'must not hold an address that runs or holds content',
};

export function findTextFault(text: string): TextFault | null {
  if (CONTROL.test(text)) return 'control';
  if (UNSEEN.test(text)) return 'direction';
  return RUNS.test(text.replace(/[\t\r\n\u00ad\u200c\u200d]/g, '')) ? 'script_address' : null;
}
