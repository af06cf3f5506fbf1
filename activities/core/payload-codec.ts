import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import {
  type DataConverter,
  DefaultFailureConverter,
  defaultPayloadConverter,
  type LoadedDataConverter,
  type Payload,
  type PayloadCodec,
} from '@temporalio/common';
import proto from '@temporalio/proto';
import type { DataKey } from '../../db/sealed-columns.ts';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Temporal's samples and other SDKs call it so as well. */
const ENCODING = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';

const PayloadMessage = proto.temporal.api.common.v1.Payload;

/**
 * Seals whatever leaves for Temporal: inputs, results, summaries, failures. The first key seals, all
 * of them open; a payload that was never sealed stays as it is, so that flows from before the keys
 * were set go on. Raises for a key that is not here, and for a payload that was altered.
 */
export function createPayloadCodec(keys: readonly DataKey[]): PayloadCodec {
  const [current] = keys;
  if (current === undefined) throw new Error('no key to seal payloads with');
  return {
    encode: async (payloads) => payloads.map((payload) => seal(payload, current)),
    decode: async (payloads) => payloads.map((payload) => open(payload, keys)),
  };
}

function seal(payload: Payload, { id, secret }: DataKey): Payload {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, secret, iv).setAAD(aadOf(id));
  const plain = PayloadMessage.encode(payload).finish();
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return {
    metadata: { encoding: Buffer.from(ENCODING), [KEY_ID]: Buffer.from(String(id)) },
    data: Buffer.concat([iv, cipher.getAuthTag(), body]),
  };
}

function open(payload: Payload, keys: readonly DataKey[]): Payload {
  const { metadata, data } = payload;
  if (textOf(metadata?.['encoding']) !== ENCODING) return payload;
  const id = textOf(metadata?.[KEY_ID]);
  const key = keys.find((each) => String(each.id) === id);
  if (key === undefined) throw new Error(`flow key ${id} is not configured`);
  const bytes = Buffer.from(data ?? []);
  const decipher = createDecipheriv(ALGORITHM, key.secret, bytes.subarray(0, IV_BYTES))
    .setAAD(aadOf(key.id))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const plain = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
  return PayloadMessage.decode(Buffer.concat([plain, decipher.final()]));
}

const textOf = (bytes: Uint8Array | null | undefined): string =>
  bytes === null || bytes === undefined ? '' : Buffer.from(bytes).toString();

const aadOf = (id: number): Buffer => Buffer.from(`flow payload ${id}`);

/**
 * For a Client. Messages and stacks of failures are sealed as payloads are; workers do the same by
 * worker/failure-converter.cjs. Without keys all of it is kept in clear.
 */
export function flowConverter(keys: readonly DataKey[]): { dataConverter?: DataConverter } {
  if (keys.length === 0) return {};
  const dataConverter: Omit<LoadedDataConverter, 'externalStorage'> = {
    payloadConverter: defaultPayloadConverter,
    failureConverter: new DefaultFailureConverter({ encodeCommonAttributes: true }),
    payloadCodecs: [createPayloadCodec(keys)],
  };
  return { dataConverter };
}
