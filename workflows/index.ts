/** Every flow of the platform; one bundle for all task queues. */
export { depositWorkflow } from './deposit.ts';
export { reviewWorkflow } from './review.ts';
export { suspenseWorkflow } from './suspense.ts';
