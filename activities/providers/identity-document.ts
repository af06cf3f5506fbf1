import { DomainError, fileTooLarge } from '../../domain/errors.ts';
import { reencodeImage } from './image-codec.ts';

export const DOCUMENT_BYTES_MAX = 5 * 1024 * 1024;

export interface IdentityDocument {
  bytes: Buffer;
  mime: string;
}

/** Named, so that consoles say it in the language of whoever uploads. */
export type DocumentProblem = 'pdf_broken' | 'pdf_active' | 'unreadable';

const PROBLEMS: Readonly<Record<DocumentProblem, string>> = {
  pdf_broken:
    'This file cannot be read as a PDF: it is damaged or ends too early. Save or print it as a PDF again, or upload a photo.',
  pdf_active:
    'A PDF with scripts, attachments or a password is not taken. Print it as a PDF again, or upload a photo.',
  unreadable:
    'This file is neither a picture (jpeg, png, gif, webp or avif) nor a PDF that can be read. Save or print it as a PDF, or upload a photo.',
};

const refusal = (problem: DocumentProblem, cause?: unknown): DomainError =>
  new DomainError('unsupported_media', { message: PROBLEMS[problem], hints: { problem }, cause });

/** Readers look for the mark of the end in the last kilobyte. */
const PDF_TAIL_BYTES = 1_024;
/** Everything in a PDF is in numbered objects. */
const PDF_OBJECT = /\d\s+\d+\s+obj\b/;
/** What runs, opens or hides something: no scan of a passport needs it. */
const PDF_ACTIVE = /\/(?:JavaScript|JS|Launch|EmbeddedFile|RichMedia|XFA|Encrypt)\b/;

/**
 * A picture, encoded anew, or a PDF as it is; distinguished by content. Raises too_large and
 * unsupported_media. A PDF may still hide active parts in its compressed streams, so it is only ever
 * handed out as a download; the console draws its pages as pictures, and runs nothing of it.
 */
export async function readIdentityDocument(source: Buffer): Promise<IdentityDocument> {
  if (source.length > DOCUMENT_BYTES_MAX) throw fileTooLarge(DOCUMENT_BYTES_MAX);
  if (source.toString('latin1', 0, 5) !== '%PDF-') {
    return await readPicture(source);
  }
  const text = source.toString('latin1');
  if (PDF_ACTIVE.test(text)) throw refusal('pdf_active');
  if (!PDF_OBJECT.test(text) || !text.slice(-PDF_TAIL_BYTES).includes('%%EOF')) {
    throw refusal('pdf_broken');
  }
  return { bytes: source, mime: 'application/pdf' };
}

async function readPicture(source: Buffer): Promise<IdentityDocument> {
  try {
    const { bytes, mime } = await reencodeImage(source);
    return { bytes, mime };
  } catch (error) {
    if (!(error instanceof DomainError) || error.token !== 'unsupported_media') throw error;
    throw refusal('unreadable', error);
  }
}
