/** Every flow of the platform; one bundle for all task queues. */
export { reviewWorkflow } from './review.ts';
