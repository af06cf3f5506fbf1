import { DomainError } from '../../domain/errors.ts';
import { reencodeImage } from './image-codec.ts';

export const DOCUMENT_BYTES_MAX = 5 * 1024 * 1024;

export interface IdentityDocument {
  bytes: Buffer;
  mime: string;
}

/** Readers look for the mark of the end in the last kilobyte. */
const PDF_TAIL_BYTES = 1_024;
/** What runs, opens or hides something: no scan of a passport needs it. */
const PDF_ACTIVE = /\/(?:JavaScript|JS|Launch|EmbeddedFile|RichMedia|XFA|Encrypt)\b/;

/**
 * A picture, encoded anew, or a PDF as it is; distinguished by content. Raises too_large and
 * unsupported_media. A PDF may still hide active parts in its compressed streams, so it is only ever
 * handed out as a download.
 */
export async function readIdentityDocument(source: Buffer): Promise<IdentityDocument> {
  if (source.length > DOCUMENT_BYTES_MAX) throw new DomainError('too_large');
  if (source.toString('latin1', 0, 5) !== '%PDF-') {
    const { bytes, mime } = await reencodeImage(source);
    return { bytes, mime };
  }
  const text = source.toString('latin1');
  if (!text.slice(-PDF_TAIL_BYTES).includes('%%EOF')) {
    throw new DomainError('unsupported_media', { message: 'This PDF has no end.' });
  }
  if (PDF_ACTIVE.test(text)) {
    throw new DomainError('unsupported_media', {
      message: 'A PDF with scripts, attachments or a password is not taken.',
    });
  }
  return { bytes: source, mime: 'application/pdf' };
}
