import { useQuery } from '@tanstack/react-query';
import type { Ad } from '../../../../client/routes.ts';
import { AdShown, isOfWords } from '../../../parts/ad-shown.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { one as campaignOf } from '../../../queries/advertiser/campaign.ts';
import { one as creativeOf } from '../../../queries/advertiser/creative.ts';
import { CreativeShown } from './creative-shown.tsx';

/** An ad as a viewer sees it: of words where its creative is made of them. */
export function AdPreview({ row }: { row: Ad }) {
  const { data: campaign } = useQuery(campaignOf(row.campaign_id));
  return (
    <Loaded query={creativeOf(row.creative_id)}>
      {(creative) =>
        isOfWords(creative.type) ? (
          <AdShown
            words={row}
            name={row.name}
            display={creative.type}
            pictures={creative}
            landingUrl={row.landing_url ?? campaign?.landing_url ?? ''}
          />
        ) : (
          <CreativeShown creative={creative} />
        )
      }
    </Loaded>
  );
}
