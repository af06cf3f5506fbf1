import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The request with an Idempotency-Key that the running code answers; undefined outside of one, and
 * inside one of its steps. Only activities/run-once.ts opens transactions of such a request.
 */
export interface KeyedRequest {
  /** `request:<hash>` of the key's first use; another request never has it. */
  key: string;
  /** Names of its steps, so that no two have the same. */
  steps: Set<string>;
  crash: CrashPoint;
}

/** Tests only (config.ts): the step at which this process ends as if its machine had died. */
export interface CrashPoint {
  beforeStep: string | undefined;
  afterStep: string | undefined;
}

export const keyedRequest = new AsyncLocalStorage<KeyedRequest | undefined>();
