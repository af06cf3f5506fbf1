import type { Objects } from './catalogue.ts';
import type { Good } from './good.ts';

export const adminRequests = (_own: Objects): Readonly<Record<string, Good>> => ({});
