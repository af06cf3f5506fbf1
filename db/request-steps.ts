import { AsyncLocalStorage } from 'node:async_hooks';
import { deserialize, serialize } from 'node:v8';

/**
 * The request with an Idempotency-Key that the running code answers. Its transactions are numbered
 * in the order they open; inTransaction stores each one's result under that number in the same
 * transaction, so that the request can be run again after a crash without doing anything twice.
 */
export interface RequestSteps {
  /** Of the key's first use; another request never has it. */
  key: string;
  next: number;
}

export const requestSteps = new AsyncLocalStorage<RequestSteps>();

/** Results hold dates and bigints, which JSON does not. */
export const packStep = (result: unknown): string => serialize(result).toString('base64');

export const unpackStep = (packed: string): unknown =>
  deserialize(Buffer.from(packed, 'base64')) as unknown;
