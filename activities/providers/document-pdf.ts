import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import { create, type Font } from 'fontkit';
import PDFDocument from 'pdfkit';
import {
  documentCents,
  type DocumentContent,
  type DocumentKind,
  sentBackFacts,
} from '../../domain/documents.ts';
import {
  amountWords,
  movementWords,
  periodWords,
  subjectWords,
} from '../../domain/document-words.ts';
import type { Nanos } from '../../domain/money.ts';

const TITLES: Readonly<Record<DocumentKind, string>> = {
  STATEMENT: 'Monthly statement',
  INVOICE: 'Invoice',
  CREDIT_NOTE: 'Credit note',
  DEPOSIT_RECEIPT: 'Top-up receipt',
  PAYOUT_RECEIPT: 'Payout receipt',
  REFUND_RECEIPT: 'Refund receipt',
};

/** Fonts under the OFL 1.1; the first that has a character draws it. What none has is drawn as a question mark. */
const FONTS = [
  '@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff',
  '@fontsource/noto-sans/files/noto-sans-latin-ext-400-normal.woff',
  '@fontsource/noto-sans/files/noto-sans-cyrillic-400-normal.woff',
  '@fontsource/noto-sans/files/noto-sans-greek-400-normal.woff',
  '@fontsource/zcool-xiaowei/files/zcool-xiaowei-chinese-simplified-400-normal.woff',
] as const;
const [PLAIN] = FONTS;
type FontFile = (typeof FONTS)[number];
const modules = createRequire(import.meta.url);
/** Read and taken apart once per process, and not before somebody's name needs it. */
const faces = new Map<FontFile, Font>();

const LEFT = 56;
const WIDTH = 595 - 2 * LEFT;
const BOTTOM = 770;
/** From the top of a line of ten points to where its letters stand. */
const RISE = 10.7;
/** Left edges and widths of the columns of the table. */
const COLUMNS = [
  { at: LEFT, width: 145 },
  { at: LEFT + 150, width: 195 },
  { at: LEFT + 350, width: 40, align: 'right' },
  { at: LEFT + 395, width: WIDTH - 395, align: 'right' },
] as const;

/**
 * The document as a PDF (A4, in English; names in their own letters). The same content gives the same bytes: its
 * date is that of issue, its id is made of what it says, and the fonts are our own.
 */
export async function documentPdf(content: DocumentContent): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: 56, bottom: 40, left: LEFT, right: LEFT },
    lang: 'en',
    info: {
      Title: `${TITLES[content.kind]} ${content.number}`,
      CreationDate: new Date(content.issuedAt),
      Producer: 'adplatform',
      Creator: 'adplatform',
    },
  });
  const parts: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('data', (part: Buffer) => parts.push(part));
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });
  useFont(pdf, PLAIN);
  drawHead(pdf, content);
  drawMoney(pdf, content);
  pdf.end();
  await ended;
  return Buffer.concat(parts);
}

type Pdf = InstanceType<typeof PDFDocument>;

function drawHead(pdf: Pdf, content: DocumentContent): void {
  const { account, month, batchId, currency, issuer } = content;
  const sent = sentBackFacts(content.sentBack);
  pdf.fontSize(20).text(TITLES[content.kind], LEFT, 56);
  pdf.fontSize(10).moveDown(0.8);
  const facts: [string, string | null][] = [
    ['Issued by', issuer.name],
    ['Address', issuer.address],
    ['Tax number', issuer.taxId],
    ['Number', content.number],
    ['Issued', `${content.issuedAt.slice(0, 16).replace('T', ' ')} UTC`],
    ['Issued to', account.name],
    ['Address', account.address],
    ['Tax number', account.taxId],
    ['Account', `${account.id} (${account.realm.toLowerCase()})`],
    ['Period', month === null ? null : periodWords(month)],
    ['Ledger batch', batchId === null ? null : String(batchId)],
    ['Corrects', content.corrects],
    ['Sent back by', sent.sent_by],
    ['Reference', sent.sent_reference],
    ['Sum sent', sent.sent_amount],
    ['Top-up', sent.deposit_reference],
    ['Currency', currency],
    ['Value added tax', content.kind === 'INVOICE' ? 'None is charged' : null],
  ];
  for (const [label, value] of facts) {
    if (value === null || value === '') continue;
    const { y } = pdf;
    pdf.text(label, LEFT, y, { width: 100 });
    pdf.y = y;
    drawText(pdf, value, LEFT + 110, WIDTH - 110);
  }
  pdf.moveDown(1);
}

/** In hundredths that add up; what the ledger has beyond them stands below. */
function drawMoney(pdf: Pdf, content: DocumentContent): void {
  const { currency, lines, totalNanos, closingNanos } = content;
  const words = (nanos: Nanos): string => amountWords(nanos, currency);
  const cents = documentCents(content);
  drawRow(pdf, ['Movement', 'About', 'Count', 'Amount']);
  drawRule(pdf);
  for (const [at, { type, subject, name, transfers }] of lines.entries()) {
    drawRow(pdf, [
      movementWords(type),
      subjectWords(subject ?? '', name),
      String(transfers),
      words(cents.lines[at] ?? 0n),
    ]);
  }
  if (cents.rounding !== 0n) drawRow(pdf, ['Rounding of the lines', '', '', words(cents.rounding)]);
  drawRule(pdf);
  const sums: [string, Nanos | null][] = [
    ['Opening balance', cents.opening],
    [cents.opening === null ? 'Total' : 'Movements', cents.total],
    ['Closing balance', cents.closing],
    // Spend is taken out of what was paid in before.
    ['Paid from the balance', content.kind === 'INVOICE' ? -cents.total : null],
    ['Amount due', content.kind === 'INVOICE' ? 0n : null],
  ];
  for (const [label, nanos] of sums) {
    if (nanos !== null) drawRow(pdf, [label, '', '', words(nanos)]);
  }
  const exact = closingNanos ?? totalNanos;
  if (exact === (cents.closing ?? cents.total)) return;
  pdf.moveDown(0.5);
  const label = closingNanos === null ? 'Exact total' : 'Exact closing balance';
  drawRow(pdf, [label, 'As in the ledger and in the CSV', '', words(exact)]);
}

function drawRow(pdf: Pdf, cells: readonly string[]): void {
  const boxes = cells.map((cell, index) => {
    const { at, ...box } = COLUMNS[index] ?? COLUMNS[0];
    return { at, box, lines: wrapped(pdf, cell, box.width) };
  });
  const high = pdf.currentLineHeight(true);
  const height = high * Math.max(...boxes.map(({ lines }) => lines.length));
  if (pdf.y + height > BOTTOM) {
    pdf.addPage();
    pdf.y = 56;
  }
  const { y } = pdf;
  for (const { at, box, lines } of boxes) {
    for (const [index, line] of lines.entries()) {
      pdf.y = y + index * high;
      if ('align' in box) pdf.text(line, at, pdf.y, { ...box, lineBreak: false });
      else drawText(pdf, line, at, WIDTH);
    }
  }
  pdf.y = y + height + 3;
}

/** A text as lines that fit, in whatever letters: parted at a space, or where there is none. */
function wrapped(pdf: Pdf, text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const character of text) {
    if (line !== '' && widthOf(pdf, line + character) > width) {
      const space = character === ' ' ? line.length : line.lastIndexOf(' ');
      lines.push(space > 0 ? line.slice(0, space) : line);
      line = space > 0 ? line.slice(space + 1) : '';
      if (character === ' ') continue;
    }
    line += character;
  }
  return [...lines, line];
}

function widthOf(pdf: Pdf, text: string): number {
  let width = 0;
  for (const run of runsOf(text)) {
    useFont(pdf, run.font);
    width += pdf.widthOfString(run.text);
  }
  useFont(pdf, PLAIN);
  return width;
}

function drawRule(pdf: Pdf): void {
  pdf
    .moveTo(LEFT, pdf.y)
    .lineTo(LEFT + WIDTH, pdf.y)
    .lineWidth(0.5)
    .stroke();
  pdf.y += 5;
}

/** Text in whatever letters: a run of each font after the other. */
function drawText(pdf: Pdf, text: string, at: number, width: number): void {
  const runs = runsOf(text);
  pdf.x = at;
  // On one line, however high each font stands above it.
  pdf.y += RISE;
  for (const [index, run] of runs.entries()) {
    useFont(pdf, run.font);
    const continued = index < runs.length - 1;
    pdf.text(run.text, { width, continued, baseline: 'alphabetic' });
  }
  pdf.y -= RISE;
  useFont(pdf, PLAIN);
}

function runsOf(text: string): { font: FontFile; text: string }[] {
  const runs: { font: FontFile; text: string }[] = [];
  for (const character of text) {
    const found = FONTS.find((font) =>
      faceOf(font).hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
    );
    const font = found ?? PLAIN;
    const drawn = found === undefined ? '?' : character;
    const last = runs.at(-1);
    if (last?.font === font) last.text += drawn;
    else runs.push({ font, text: drawn });
  }
  return runs;
}

/** The library takes a font that was taken apart before; its types do not say so. */
const useFont = (pdf: Pdf, font: FontFile): void => {
  pdf.font(faceOf(font) as unknown as Buffer, font);
};

function faceOf(font: FontFile): Font {
  const known = faces.get(font);
  if (known !== undefined) return known;
  const face = create(openWoff(readFileSync(modules.resolve(font)))) as Font;
  faces.set(font, face);
  return face;
}

/** The OpenType font within a WOFF 1.0 file: the same tables, each inflated. The library reads it a tenth as fast itself. */
function openWoff(woff: Buffer): Buffer<ArrayBuffer> {
  const count = woff.readUInt16BE(12);
  const power = Math.floor(Math.log2(count));
  const head = Buffer.alloc(12 + 16 * count);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  head.writeUInt16BE(16 * 2 ** power, 6);
  head.writeUInt16BE(power, 8);
  head.writeUInt16BE(16 * (count - 2 ** power), 10);
  const parts: Uint8Array[] = [head];
  let at = head.length;
  for (let index = 0; index < count; index += 1) {
    const entry = 44 + 20 * index;
    const [offset, packed, length] = [4, 8, 12].map((field) =>
      woff.readUInt32BE(entry + field),
    ) as [number, number, number];
    const stored = woff.subarray(offset, offset + packed);
    const table = packed < length ? inflateSync(stored) : Buffer.from(stored);
    const row = 12 + 16 * index;
    woff.copy(head, row, entry, entry + 4);
    woff.copy(head, row + 4, entry + 16, entry + 20);
    head.writeUInt32BE(at, row + 8);
    head.writeUInt32BE(length, row + 12);
    const padding = Buffer.alloc((4 - (length % 4)) % 4);
    parts.push(table, padding);
    at += length + padding.length;
  }
  return Buffer.concat(parts);
}
