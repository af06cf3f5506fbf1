import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** 32 bytes of AES-256-GCM; ids tell which key opens, so that keys can be rotated. */
export interface DataKey {
  id: number;
  secret: Buffer;
}

/** Text at rest that only the platform's keys can read. */
export interface ColumnSealer {
  /** `place` (`bank_cards.account`) is bound in: what is moved to another column does not open. */
  seal(text: string, place: string): string;
  /** Raises when the text was altered, or its key is gone. */
  open(sealed: string, place: string): string;
}

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The first key seals; all of them open. */
export function createColumnSealer(keys: readonly DataKey[]): ColumnSealer {
  const [current] = keys;
  if (current === undefined) throw new Error('no key to seal columns with');
  return {
    seal(text, place) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, current.secret, iv).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${current.id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, place) {
      const [id = '', packed = ''] = sealed.split('.');
      const key = keys.find((each) => String(each.id) === id);
      if (key === undefined) throw new Error(`column key ${id} is not configured`);
      const bytes = Buffer.from(packed, 'base64url');
      const decipher = createDecipheriv(ALGORITHM, key.secret, bytes.subarray(0, IV_BYTES))
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const body = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    },
  };
}
