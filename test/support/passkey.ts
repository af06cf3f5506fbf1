import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** An authenticator in software (WebAuthn level 2, 6): what a browser would answer, and what a thief would. */
export interface Authenticator {
  /** To the options of a new passkey. */
  create(options: unknown, changes?: Changes): object;
  /** To the options of a login. */
  get(options: unknown, changes?: Changes): object;
}

/** What is not as it should be. */
export interface Changes {
  origin?: string;
  challenge?: string;
  rpId?: string;
  count?: number;
}

const b64 = (bytes: Buffer): string => bytes.toString('base64url');
const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();

export function createAuthenticator(origin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  let count = 0;

  const clientData = (type: string, options: { challenge?: string }, changes: Changes): Buffer =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: changes.challenge ?? options.challenge,
        origin: changes.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authData = (rpId: string, flags: number, changes: Changes, more = Buffer.alloc(0)) => {
    count = changes.count ?? count + 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(count);
    return Buffer.concat([sha256(changes.rpId ?? rpId), Buffer.from([flags]), counter, more]);
  };
  const answer = (response: object) => ({
    id: b64(id),
    rawId: b64(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    create(raw, changes = {}) {
      const options = raw as { challenge: string; rp: { id: string } };
      const client = clientData('webauthn.create', options, changes);
      const key = map([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, key]);
      const data = authData(options.rp.id, 0x41, changes, attested);
      const object = map([
        ['fmt', 'none'],
        ['attStmt', map([])],
        ['authData', data],
      ]);
      return answer({
        clientDataJSON: b64(client),
        attestationObject: b64(object),
        transports: ['internal'],
      });
    },
    get(raw, changes = {}) {
      const options = raw as { challenge: string; rpId: string };
      const client = clientData('webauthn.get', options, changes);
      const data = authData(options.rpId, 0x01, changes);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      return answer({
        clientDataJSON: b64(client),
        authenticatorData: b64(data),
        signature: b64(signature),
      });
    },
  };
}

type Value = number | string | Buffer | Encoded;
class Encoded {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** The little of CBOR (RFC 8949) that is needed. */
function map(entries: [number | string, Value | Buffer][]): Buffer & Encoded {
  const parts = entries.flatMap(([name, value]) => [item(name), item(value)]);
  const bytes = Buffer.concat([head(5, entries.length), ...parts]);
  return Object.assign(bytes, { bytes, encoded: true }) as unknown as Buffer & Encoded;
}

function item(value: Value): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if ((value as { encoded?: boolean }).encoded === true) return value as Buffer;
  const bytes = value as Buffer;
  return Buffer.concat([head(2, bytes.length), bytes]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
