import { record, whole } from '../http/response-shapes.ts';

/** How many sessions ended. */
export const endedShape = record({ ended: whole().min(0) });
