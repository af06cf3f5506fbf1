import { queryClient } from '../../api.ts';
import { ownPick } from '../../parts/pick-own.ts';
import type { PickSource } from '../../parts/pick.tsx';
import * as site from './site.ts';
import * as zone from './zone.ts';

/** What a form, a filter or a report chooses among a publisher's own, by name. */
export const sitePick = (only: { audit_status?: 'APPROVED'; status?: 'ACTIVE' } = {}): PickSource =>
  ownPick(
    `pick GET /api/publisher/sites ${Object.values(only).join(' ')}`,
    async (asked) => await queryClient.fetchQuery(site.list({ ...only, ...asked })),
    async (id) => await queryClient.fetchQuery(site.one(id)),
  );

export const zonePick = (above: { site_id?: number }): PickSource =>
  ownPick(
    `pick GET /api/publisher/zones ${above.site_id ?? ''}`,
    async (asked) => await queryClient.fetchQuery(zone.list({ ...above, ...asked })),
    async (id) => await queryClient.fetchQuery(zone.one(id)),
  );
