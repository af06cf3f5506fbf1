import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { decodeText } from '../../domain/bank-statement/csv.ts';
import { at } from '../../domain/bank-statement/lines.ts';
import type { FieldError } from '../../domain/errors.ts';

export type Node = Readonly<Record<string, unknown>>;

/** A message of ISO 20022, such as `camt.053`, and the element that its document holds. */
export interface BankMessage {
  message: string;
  body: string;
}

/** No message of a bank is nested so deep. */
const DEPTH_MAX = 40;

/** What there may be several of. */
const LISTS = new Set(
  'Stmt Ntfctn Bal Ntry NtryDtls TxDtls Ustrd Strd OrgnlPmtInfAndSts TxInfAndSts StsRsnInf AddtlInf'.split(
    ' ',
  ),
);

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#',
  removeNSPrefix: true,
  // Figures stay as the bank wrote them, and nothing in the file may name anything outside it.
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: true,
  isArray: (name) => LISTS.has(name),
});

/**
 * The one door for XML of a bank: UTF-8, well formed, no document type, no entities of its own, nested no
 * deeper than banks do, and nothing in it of any namespace but the message's. Answers what `body` holds.
 */
export function openBankXml(
  bytes: Uint8Array,
  { message, body }: BankMessage,
): Node | { faults: FieldError[] } {
  const text = decodeText(bytes);
  if (typeof text !== 'string') return { faults: [text] };
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return fault('this is no XML of a bank.');
  // Words of a payer are neither tags nor their attributes.
  const tags = text
    .replace(/<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>/g, '')
    .match(/<\/?[^<>!?][^<>]*>/g);
  if (tags === null || depthOf(tags) > DEPTH_MAX || XMLValidator.validate(text) !== true) {
    return fault('this is no XML of a bank.');
  }
  const own = `urn:iso:std:iso:20022:tech:xsd:${message}.001.`;
  const namespaces = tags.flatMap((tag) =>
    [...tag.matchAll(/\sxmlns(?::[\w.-]+)?\s*=\s*["']([^"']*)["']/g)].map(
      (match) => match[1] ?? '',
    ),
  );
  const ofMessage = new Set(namespaces.filter((each) => each.startsWith(own)));
  const foreign = namespaces.filter(
    (each) => !ofMessage.has(each) && !each.startsWith('http://www.w3.org/'),
  );
  const document = nodeOf((parser.parse(text) as Node)['Document']);
  const content = nodeOf(document[body]);
  if (ofMessage.size !== 1 || Object.keys(content).length === 0) {
    return fault(`this is no ${message}.`);
  }
  if (foreign.length > 0) return fault('the file mixes messages of several namespaces.');
  return content;
}

const fault = (message: string) => ({ faults: [at(1, null, 'format', message)] });

function depthOf(tags: readonly string[]): number {
  let depth = 0;
  let deepest = 0;
  for (const tag of tags) {
    if (tag.startsWith('</')) depth -= 1;
    else if (!tag.endsWith('/>')) depth += 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

export const nodeOf = (value: unknown): Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {};
export const listOf = (value: unknown): Node[] => (Array.isArray(value) ? value.map(nodeOf) : []);
/** Text of an element, with or without attributes. */
export const wordOf = (value: unknown): string => {
  if (typeof value === 'string') return value.trim();
  const text = nodeOf(value)['#'];
  return typeof text === 'string' ? text.trim() : '';
};
