import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import type { Request, RequestHandler } from 'express';
import multer, { type StorageEngine } from 'multer';
import { DomainError, fileTooLarge, invalid } from '../../domain/errors.ts';

export interface UploadRule {
  bytesMax: number;
  /** Where the file is written as it comes; in memory when absent, which is for small ones. */
  dir?: string;
}

export interface UploadedFile {
  bytes: Buffer;
  /** As the client called it, for people to read; never part of a path. */
  name: string | null;
}

/** An upload on the disk. */
export interface UploadedPath {
  path: string;
  name: string | null;
}

const FIELD = 'file';
const NAME_LENGTH_MAX = 255;

/** One file in the multipart field `file` (interface 4.4). */
export function readUpload({ bytesMax, dir }: UploadRule): RequestHandler {
  const parse = multer({
    storage: dir === undefined ? multer.memoryStorage() : diskStorage(dir),
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
      next(error === undefined || error === null ? undefined : asRefusal(error, bytesMax));
    });
  };
}

/** Files under names of ours. One that is refused or cut off on its way is removed by the parser. */
function diskStorage(dir: string): StorageEngine {
  return multer.diskStorage({
    destination: (_req, _file, done) => {
      mkdir(dir, { recursive: true }).then(
        () => done(null, dir),
        (error: unknown) => done(error as Error, dir),
      );
    },
    filename: (_req, _file, done) => done(null, randomUUID()),
  });
}

/** The file that `readUpload` took into memory; 422 when the request carried none. */
export function uploadOf(req: Request): UploadedFile {
  const file = fileOf(req);
  return { bytes: file.buffer, name: nameOf(file) };
}

/**
 * Hands over the file that `readUpload` wrote into its folder, and removes it afterwards unless it
 * was moved away; 422 when the request carried none.
 */
export async function withUploadedPath<Result>(
  req: Request,
  use: (file: UploadedPath) => Promise<Result>,
): Promise<Result> {
  const file = fileOf(req);
  try {
    return await use({ path: file.path, name: nameOf(file) });
  } finally {
    await rm(file.path, { force: true });
  }
}

function fileOf({ file }: Request): Express.Multer.File {
  if (file === undefined) {
    throw invalid({ field: FIELD, code: 'required', message: 'A file is required.' });
  }
  return file;
}

function nameOf({ originalname }: Express.Multer.File): string | null {
  const name = originalname.replace(/\p{Cc}/gu, '').trim();
  return name === '' ? null : name.slice(0, NAME_LENGTH_MAX);
}

/** Whatever is wrong with a multipart body is the sender's, never a fault of ours. */
function asRefusal(error: unknown, bytesMax: number): DomainError {
  if (!(error instanceof multer.MulterError)) {
    return new DomainError('malformed_request', { cause: error });
  }
  if (error.code === 'LIMIT_FILE_SIZE') {
    return fileTooLarge(bytesMax);
  }
  if (error.code === 'LIMIT_UNEXPECTED_FILE' || error.code === 'LIMIT_FILE_COUNT') {
    const message = `Exactly one file, in the field "${FIELD}".`;
    return invalid({ field: error.field ?? FIELD, code: 'unknown_field', message });
  }
  return new DomainError('malformed_request', { message: error.message, cause: error });
}
