import type { Objects, RouteSpec } from './catalogue.ts';

/** Routes that do not say themselves what they take (api/http/route.ts): none is left. */
export const byHand = (_own: Objects): RouteSpec[] => [];
