import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** 32 bytes of AES-256-GCM; ids tell which key opens, so that keys can be rotated. */
export interface DataKey {
  id: number;
  secret: Buffer;
}

/** Where a sealed text lies: its column, and what never changes of its row (`7/12`, a file's name). */
export interface SealedPlace {
  column: SealedColumn;
  row: string;
}

/** `row` as SEALED_COLUMNS names it: whose it is, then its id. */
export const placeOf = (
  column: SealedColumn,
  ...row: readonly (number | string | null)[]
): SealedPlace => ({ column, row: row.map((part) => part ?? '-').join('/') });

/**
 * Each column of sealed texts, with what its row is bound by: whose it is as well as its key, or a row that is handed
 * to somebody else, or made anew under its old id, would open for them.
 */
export const SEALED_COLUMNS = {
  'bank_cards.sealed_info': ['publisher_id', 'id'],
  'chain_payments.sealed_bytes': ['withdrawal_id'],
  'factors.sealed_secret': ['person_type', 'person_id', 'id'],
  'kyc_applications.document_number_sealed': ['account_id', 'id'],
  'kyc_documents.sealed_key': ['account_id', 'id'],
  'mails.sealed': ['account_id', 'member_id', 'operator_id', 'id'],
  'payout_files.sealed_file': ['id'],
  'payouts.sealed_file': ['withdrawal_id'],
  'receipt_evidence.sealed_key': ['operator_id', 'id'],
  'webhook_endpoints.sealed_secret': ['account_id', 'id'],
  'withdrawals.sealed_account': ['publisher_id', 'id'],
} as const;

/** Columns that name a file of the private store: the file is bound by its row alike, and by its name. */
export const PRIVATE_FILES = {
  'kyc_documents.path': ['account_id', 'id'],
  'receipt_evidence.path': ['operator_id', 'id'],
} as const;
export type PrivateFile = keyof typeof PRIVATE_FILES;

/** Where the key of each such file lies. */
export const FILE_KEYS = {
  'kyc_documents.path': 'kyc_documents.sealed_key',
  'receipt_evidence.path': 'receipt_evidence.sealed_key',
} as const satisfies Record<PrivateFile, keyof typeof SEALED_COLUMNS>;

/** What is sealed by the same keys and lies in no column: files, and a browser's pass. */
export type SealedColumn =
  | keyof typeof SEALED_COLUMNS
  | PrivateFile
  | 'private_store'
  | 'codec_pass';

/** Text at rest that only the platform's keys can read. */
export interface ColumnSealer {
  /** The place is bound in: what is moved to another column, or to another row, does not open. */
  seal(text: string, place: SealedPlace): string;
  /** Raises when the text was altered or moved, its key is gone, or it names no row (SEALED_BEFORE_ROWS). */
  open(sealed: string, place: SealedPlace): string;
}

/**
 * Each opening, and each that failed: whoever reads a secret leaves a trace, and so does who moves one. The key's id
 * is what the text says, whether there is such a key or not.
 */
export type OnOpening = (opening: SealedPlace & { keyId: string; isOpened: boolean }) => void;

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Before the key's id: what follows is bound to its row. A text without it is of a build that bound the column alone. */
const BOUND = 'r';

const SEALED_BEFORE_ROWS = 'sealed before rows were bound in: "admin reseal unbound", once';

/** The first key seals; all of them open. */
export function createColumnSealer(
  keys: readonly DataKey[],
  onOpening: OnOpening = () => undefined,
): ColumnSealer {
  const [current] = keys;
  if (current === undefined) throw new Error('no key to seal columns with');
  return {
    seal: (text, place) =>
      `${BOUND}.${current.id}.${encrypt(current.secret, text, associated(place))}`,
    open(sealed, place) {
      const { id, packed, isBound } = partsOf(sealed);
      let isOpened = false;
      try {
        // Files of older builds were bound to their names alone, by each of them.
        if (!isBound && place.column !== 'private_store') throw new Error(SEALED_BEFORE_ROWS);
        const key = keyOf(keys, id);
        const text = decrypt(key.secret, packed, associated(place));
        isOpened = true;
        return text;
      } finally {
        onOpening({ ...place, keyId: id, isOpened });
      }
    },
  };
}

/** The key that a text was sealed with; null of one that was sealed before rows were bound. */
export function sealedBy(sealed: string): number | null {
  const { id, isBound } = partsOf(sealed);
  return isBound ? Number(id) : null;
}

/** What an older build has sealed, which a moved text opens as well: for binding it to its row, once. */
export function openUnbound(keys: readonly DataKey[], sealed: string, column: string): string {
  const { id, packed } = partsOf(sealed);
  return decrypt(keyOf(keys, id).secret, packed, column);
}

function partsOf(sealed: string): { id: string; packed: string; isBound: boolean } {
  const parts = sealed.split('.');
  const isBound = parts[0] === BOUND;
  const [id = '', packed = ''] = isBound ? parts.slice(1) : parts;
  return { id, packed, isBound };
}

/** A column's name has no such sign, so no two places read alike. */
const associated = ({ column, row }: SealedPlace): string =>
  column === 'private_store' ? `private-store:${row}` : `${column}#${row}`;

function keyOf(keys: readonly DataKey[], id: string): DataKey {
  const key = keys.find((each) => String(each.id) === id);
  if (key === undefined) throw new Error(`column key ${id} is not configured`);
  return key;
}

function encrypt(secret: Buffer, text: string, bound: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, secret, iv).setAAD(Buffer.from(bound));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
}

function decrypt(secret: Buffer, packed: string, bound: string): string {
  const bytes = Buffer.from(packed, 'base64url');
  const decipher = createDecipheriv(ALGORITHM, secret, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(bound))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const body = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
  return Buffer.concat([body, decipher.final()]).toString('utf8');
}
