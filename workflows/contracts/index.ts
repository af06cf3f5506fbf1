/** Plain data that workflows, activities, API and worker agree on: ids, inputs, message names. */
export * from './queues.ts';
export * from './review.ts';
export * from './deposit.ts';
export * from './site-verification.ts';
export * from './loops.ts';
export * from './decision.ts';
