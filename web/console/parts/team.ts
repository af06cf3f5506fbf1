import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import type { Member } from '../../client/routes.ts';
import { read, write } from '../api.ts';
import type { Owner } from './identity.ts';
import type { PageOf } from './list-page.tsx';

export const ROLES = ['ADMIN', 'EDITOR', 'FINANCE', 'VIEWER'] as const;
export type MemberRole = (typeof ROLES)[number];

type Members = PageOf<Member> & { owner: { name: string; email: string } };

/** Members have the same routes for advertisers and publishers. */
export const teamOf = (realm: Owner) => {
  const stale = [`GET /api/${realm}/members`] as const;
  return {
    list: (query: { page?: number }) =>
      read(`GET /api/${realm}/members`, {
        query: { page_size: 50, ...query },
      }) as unknown as UseQueryOptions<Members> & { queryKey: QueryKey },
    invite: write(`POST /api/${realm}/members`, stale),
    resend: write(`POST /api/${realm}/members/{id}/resend`, stale),
    endSessions: write(`POST /api/${realm}/members/{id}/end-sessions`, stale),
    suspend: write(`POST /api/${realm}/members/{id}/suspend`, stale),
    restore: write(`POST /api/${realm}/members/{id}/restore`, stale),
    change: write(`PUT /api/${realm}/members/{id}`, stale),
    remove: write(`DELETE /api/${realm}/members/{id}`, stale),
  };
};
