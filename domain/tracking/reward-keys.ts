import {
  createECDH,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';

/**
 * Keys of rewards, derived from the track keys under labels of their own, so that they are rotated
 * together: the first one seals and signs, all of them open and are published.
 *
 *     token: key id (1) | ends (4) | hash of the bid (8) | transaction (16) | tag (16)   = 60 characters
 *
 * Callbacks are signed by ECDSA over P-256 with SHA-256, DER in base64url.
 */
export interface RewardKeys {
  mintToken(token: RewardToken): string;
  /** Null for anything that was not minted here. Its end is the caller's question. */
  openToken(text: string): { transactionId: string; endsAtMs: number } | null;
  sign(payload: string): { signature: string; keyId: number };
  verify(payload: string, signature: string, keyId: number): boolean;
  /** Public halves, in the form that AdMob's verifiers read. */
  published(): PublishedKey[];
}

export interface RewardToken {
  bidId: string;
  /** 32 hex */
  transactionId: string;
  endsAtMs: number;
}

export interface PublishedKey {
  keyId: number;
  pem: string;
  base64: string;
}

interface Ring {
  id: number;
  mac: KeyObject;
  private: KeyObject;
  public: KeyObject;
  published: PublishedKey;
}

const BODY_BYTES = 29;
const TAG_BYTES = 16;
const TOKEN_CHARS = ((BODY_BYTES + TAG_BYTES) * 4) / 3;
/** Order of the curve P-256: a private key is a number from 1 to one less. */
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

export function createRewardKeys(keys: readonly { id: number; secret: Buffer }[]): RewardKeys {
  const rings = keys.map(ringOf);
  const [first] = rings;
  if (first === undefined) throw new Error('a track key is needed');
  return {
    mintToken: ({ bidId, transactionId, endsAtMs }) => {
      const body = Buffer.alloc(BODY_BYTES);
      body.writeUInt8(first.id, 0);
      body.writeUInt32BE(Math.ceil(endsAtMs / 1_000), 1);
      createHash('sha256').update(bidId).digest().copy(body, 5, 0, 8);
      body.write(transactionId, 13, 16, 'hex');
      return Buffer.concat([body, tagOf(first, body)]).toString('base64url');
    },
    openToken: (text) => {
      if (text.length !== TOKEN_CHARS) return null;
      const bytes = Buffer.from(text, 'base64url');
      // Canonical spelling only, so that one token has one text.
      if (bytes.toString('base64url') !== text) return null;
      const ring = rings.find(({ id }) => id === bytes.readUInt8(0));
      const body = bytes.subarray(0, BODY_BYTES);
      if (ring === undefined) return null;
      if (!timingSafeEqual(tagOf(ring, body), bytes.subarray(BODY_BYTES))) return null;
      return {
        transactionId: body.toString('hex', 13, 29),
        endsAtMs: body.readUInt32BE(1) * 1_000,
      };
    },
    sign: (payload) => ({
      signature: sign('sha256', Buffer.from(payload), first.private).toString('base64url'),
      keyId: first.published.keyId,
    }),
    verify: (payload, signature, keyId) => {
      const ring = rings.find(({ published }) => published.keyId === keyId);
      if (ring === undefined) return false;
      const bytes = Buffer.from(signature, 'base64url');
      return (
        bytes.toString('base64url') === signature &&
        verify('sha256', Buffer.from(payload), ring.public, bytes)
      );
    },
    published: () => rings.map(({ published }) => published),
  };
}

const tagOf = (ring: Ring, body: Buffer): Buffer =>
  createHmac('sha256', ring.mac).update('reward\0').update(body).digest().subarray(0, TAG_BYTES);

function ringOf({ id, secret }: { id: number; secret: Buffer }): Ring {
  const derive = (label: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', label, bytes));
  // 48 bytes before the remainder: no number is noticeably likelier than another.
  const wide = BigInt(`0x${derive('reward/sign', 48).toString('hex')}`);
  const scalar = ((wide % (P256_ORDER - 1n)) + 1n).toString(16).padStart(64, '0');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from(scalar, 'hex'));
  const point = pair.getPublicKey();
  const privateKey = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: Buffer.from(scalar, 'hex').toString('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const publicKey = createPublicKey(privateKey);
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return {
    id,
    mac: createSecretKey(derive('reward/token', 32)),
    private: privateKey,
    public: publicKey,
    published: {
      // Verifiers keep keys by this number for a day, so it belongs to the key and not to its place.
      keyId: createHash('sha256').update(spki).digest().readUInt32BE(0),
      pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      base64: spki.toString('base64'),
    },
  };
}
