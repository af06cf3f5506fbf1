import type { Ask } from '../../client/client.ts';
import { read } from '../api.ts';
import type { Owner } from './identity.ts';
import { dayOf } from './report-range.ts';
import { numberOf, oneOf, stated } from './search.ts';

export const DOCUMENT_KINDS = [
  'STATEMENT',
  'INVOICE',
  'CREDIT_NOTE',
  'DEPOSIT_RECEIPT',
  'PAYOUT_RECEIPT',
  'REFUND_RECEIPT',
] as const;

/** What of a list of documents its address says. */
export type DocumentSearch = Omit<
  NonNullable<Ask<'GET /api/advertiser/documents'>['query']>,
  'page_size'
>;

export const documentSearch = (raw: Record<string, unknown>): DocumentSearch =>
  stated({
    page: numberOf(raw['page']),
    kind: oneOf(DOCUMENT_KINDS, raw['kind']),
    start_date: dayOf(raw['start_date']),
    end_date: dayOf(raw['end_date']),
  });

/** Documents have the same routes in both realms. */
export const documentsOf = (realm: Owner, query: DocumentSearch) =>
  read(`GET /api/${realm}/documents`, { query: { page_size: 20, ...query } });
