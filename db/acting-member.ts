import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * members.id of whoever of an account the running code answers; null is its owner, undefined nobody
 * who asks, as in a flow. So what an account did is always written down with its person, without
 * every command carrying them.
 */
export const actingMember = new AsyncLocalStorage<number | null>();
