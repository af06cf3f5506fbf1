import { createHash, randomBytes } from 'node:crypto';

const BYTES = 32;

/** What a letter carries; the database keeps its hash alone. */
export const newSecretToken = (): string => randomBytes(BYTES).toString('base64url');

/** 256 bits of randomness need no slow hash: nobody guesses them from it. */
export const hashOfToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');
