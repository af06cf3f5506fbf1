import type { Request, RequestHandler } from 'express';
import multer from 'multer';
import { DomainError, invalid } from '../../domain/errors.ts';

export interface UploadedFile {
  bytes: Buffer;
  /** As the client called it, for people to read; never part of a path. */
  name: string | null;
}

const FIELD = 'file';
const NAME_LENGTH_MAX = 255;

/** One file in the multipart field `file` (decisions 2), held in memory up to its limit. */
export function readUpload({ bytesMax }: { bytesMax: number }): RequestHandler {
  const parse = multer({
    storage: multer.memoryStorage(),
    limits: {
      fileSize: bytesMax,
      files: 1,
      fields: 10,
      fieldSize: 1_024,
      parts: 11,
      headerPairs: 20,
    },
    defParamCharset: 'utf8',
  }).single(FIELD);
  return (req, res, next) => {
    if (typeof req.is('multipart/form-data') !== 'string') {
      throw new DomainError('unsupported_media', { message: 'multipart/form-data is expected.' });
    }
    parse(req, res, (error: unknown) => {
      next(error === undefined || error === null ? undefined : asRefusal(error));
    });
  };
}

/** The file that `readUpload` took; 422 when the request carried none. */
export function uploadOf(req: Request): UploadedFile {
  const { file } = req;
  if (file === undefined) {
    throw invalid({ field: FIELD, code: 'required', message: 'A file is required.' });
  }
  // oxlint-disable-next-line no-control-regex -- naming the control characters is the point
  const name = file.originalname.replace(/[\u0000-\u001f\u007f]/g, '').trim();
  return { bytes: file.buffer, name: name === '' ? null : name.slice(0, NAME_LENGTH_MAX) };
}

/** Whatever is wrong with a multipart body is the sender's, never a fault of ours. */
function asRefusal(error: unknown): DomainError {
  if (!(error instanceof multer.MulterError)) {
    return new DomainError('malformed_request', { cause: error });
  }
  if (error.code === 'LIMIT_FILE_SIZE') return new DomainError('too_large');
  if (error.code === 'LIMIT_UNEXPECTED_FILE' || error.code === 'LIMIT_FILE_COUNT') {
    const message = `Exactly one file, in the field "${FIELD}".`;
    return invalid({ field: error.field ?? FIELD, code: 'unknown_field', message });
  }
  return new DomainError('malformed_request', { message: error.message, cause: error });
}
