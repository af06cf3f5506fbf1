import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import type { HistoryEntry } from '../../client/routes.ts';
import { read } from '../api.ts';
import type { Owner } from './identity.ts';
import type { PageOf } from './list-page.tsx';
import { dayOf } from './report-range.ts';
import { numberOf, stated, textOf } from './search.ts';

/** What of a history its address says. */
export interface HistorySearch {
  page?: number;
  subject_type?: string;
  start_date?: string;
  end_date?: string;
}

export const historySearch = (raw: Record<string, unknown>): HistorySearch =>
  stated({
    page: numberOf(raw['page']),
    subject_type: textOf(raw['subject_type']),
    start_date: dayOf(raw['start_date']),
    end_date: dayOf(raw['end_date']),
  });

/** Read page by page, as any other list: its cursor is for programs. */
export const historyOf = (realm: Owner, query: HistorySearch & { subject_id?: number }) =>
  read(`GET /api/${realm}/history`, {
    query: { page_size: 50, ...query } as object,
  }) as unknown as UseQueryOptions<PageOf<HistoryEntry>> & { queryKey: QueryKey };
