import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The request with an Idempotency-Key that the running code answers; undefined outside of one, and
 * inside one of its steps. Only activities/core/run-once.ts opens transactions of such a request.
 */
export interface KeyedRequest {
  /** `request:<hash>` of the key's first use; another request never has it. */
  key: string;
  /** Names of its steps, so that no two have the same. */
  steps: Set<string>;
  /** Tests only (config.ts): where this process ends as if its machine had died; else empty. */
  crashAt: string;
}

export const keyedRequest = new AsyncLocalStorage<KeyedRequest | undefined>();
