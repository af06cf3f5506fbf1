import { randomInt } from 'node:crypto';

/**
 * An address of a caller's own (of the block for benchmarks), sent as X-Forwarded-For: limits per
 * address are counted in a Redis that several tests share.
 */
export const ownAddress = (): string => `198.18.${randomInt(256)}.${randomInt(1, 255)}`;
