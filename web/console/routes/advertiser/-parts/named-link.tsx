import { useQuery } from '@tanstack/react-query';
import { RowLink } from '../../../parts/row-link.tsx';
import { one as ad } from '../../../queries/advertiser/ad.ts';
import { one as adGroup } from '../../../queries/advertiser/ad-group.ts';
import { one as campaign } from '../../../queries/advertiser/campaign.ts';
import { one as creative } from '../../../queries/advertiser/creative.ts';
import { one as tracker } from '../../../queries/advertiser/tracker.ts';

const ADDRESSES = {
  campaign: '/advertiser/campaigns',
  adgroup: '/advertiser/ad-groups',
  ad: '/advertiser/ads',
  creative: '/advertiser/creatives',
  tracker: '/advertiser/trackers',
} as const;

type Named = { of: keyof typeof ADDRESSES; id: number };

/** A link to what a record refers to by its number alone; called by its name once that is known. */
export function NamedLink({ of, id }: Named) {
  const name = useName(of, id);
  return <RowLink to={`${ADDRESSES[of]}/${id}`}>{name ?? `#${id}`}</RowLink>;
}

const READS = { campaign, adgroup: adGroup, ad, creative, tracker } as const;

function useName(of: Named['of'], id: number): string | undefined {
  const read = READS[of](id) as ReturnType<typeof adGroup>;
  return useQuery(read).data?.name;
}
