import { type Ending, ENDINGS } from '../session.ts';
import { oneOf, stated, textOf } from './search.ts';

/** Where a login leads, and why it is needed again. */
export const loginSearch = (raw: Record<string, unknown>): { next?: string; ended?: Ending } =>
  stated({ next: textOf(raw['next']), ended: oneOf(ENDINGS, raw['ended']) });
