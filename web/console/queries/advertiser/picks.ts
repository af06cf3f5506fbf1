import { queryClient } from '../../api.ts';
import { ownPick } from '../../parts/pick-own.ts';
import type { PickSource } from '../../parts/pick.tsx';
import * as adGroup from './ad-group.ts';
import * as campaign from './campaign.ts';
import * as tracker from './tracker.ts';

/** What a form or a report chooses among an advertiser's own, by name. */
export const campaignPick = ownPick(
  'pick GET /api/advertiser/campaigns',
  async (asked) => await queryClient.fetchQuery(campaign.list(asked)),
  async (id) => await queryClient.fetchQuery(campaign.one(id)),
);

/** With its number: groups of several campaigns are often called alike. */
export const adGroupPick = (above: { campaign_id?: number }): PickSource =>
  ownPick(
    `pick GET /api/advertiser/adgroups ${above.campaign_id ?? ''}`,
    async (asked) => await queryClient.fetchQuery(adGroup.list({ ...above, ...asked })),
    async (id) => await queryClient.fetchQuery(adGroup.one(id)),
    ({ id, name }) => `${name} (#${id})`,
  );

export const trackerPick = ownPick(
  'pick GET /api/advertiser/trackers',
  async (asked) => await queryClient.fetchQuery(tracker.list({ status: 'ACTIVE', ...asked })),
  async (id) => await queryClient.fetchQuery(tracker.one(id)),
);
