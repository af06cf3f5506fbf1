import type { Objects } from './catalogue.ts';
import { accountRequests } from './good-accounts.ts';
import { advertiserRequests } from './good-advertiser.ts';
import { adminRequests } from './good-admin.ts';
import { publisherRequests } from './good-publisher.ts';
import type { FieldRules, Kind } from './values.ts';

/** A body that is good as it stands, and what the contract's types alone do not tell of its fields. */
export interface Good {
  body?: Record<string, unknown>;
  rules?: Record<string, { kind?: Kind } & Pick<FieldRules, 'takes'>>;
}

/** Keyed by `METHOD /path` as mounted, of the moment that the stand is at. Routes that take nothing need no entry. */
export const goodRequests = (own: Objects, now: Date): Readonly<Record<string, Good>> => ({
  ...accountRequests(own),
  ...advertiserRequests(own),
  ...publisherRequests(own, now),
  ...adminRequests(own),
});
