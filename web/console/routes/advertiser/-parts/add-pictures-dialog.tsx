import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Ad, AdGroup, Campaign } from '../../../../client/routes.ts';
import { queryClient, useWrite } from '../../../api.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Pick } from '../../../parts/pick.tsx';
import { State } from '../../../parts/state.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { create as createAd, list as ads } from '../../../queries/advertiser/ad.ts';
import { list as adGroups } from '../../../queries/advertiser/ad-group.ts';
import { create as createCreative } from '../../../queries/advertiser/creative.ts';
import type { Asset } from '../../../queries/advertiser/media.ts';
import { adGroupPick } from '../../../queries/advertiser/picks.ts';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';
import { type AdType, isVideo, newCreativeOf, showsVideo, sizedName } from './launch-values.ts';
import { UploadMany } from './upload-many.tsx';

/** Each file becomes a creative and an ad with the words of the newest one beside it. */
export function AddPicturesDialog({ row, onClose }: { row: Campaign; onClose: () => void }) {
  const t = useTexts(launchTexts);
  return (
    <Dialog onClose={onClose} title={t.addPictures} size="lg">
      <Loaded query={adGroups({ campaign_id: row.id })} height={160}>
        {({ items: [newest], total }) =>
          newest === undefined ? (
            <Text>{t.noGroup}</Text>
          ) : (
            <Files row={row} newest={newest} isOnly={total === 1} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

function Files({ row, newest, isOnly }: { row: Campaign; newest: AdGroup; isOnly: boolean }) {
  const t = useTexts(launchTexts);
  const c = useTexts(creativeTexts);
  const i = useTexts(inventory);
  const adType = row.ad_type as AdType;
  const [group, setGroup] = useState(newest.id);
  const makesCreative = useWrite(createCreative);
  const makesAd = useWrite(createAd);
  const send = async (asset: Asset, size: string | null): Promise<Ad> => {
    const shown = { from: 'file', asset } as const;
    if (isVideo(shown) !== showsVideo(adType)) {
      throw new Error(showsVideo(adType) ? t.wrongKind : t.wrongVideo);
    }
    const { items } = await queryClient.fetchQuery(ads({ adgroup_id: group, page_size: 1 }));
    const creative = await makesCreative.mutateAsync({
      body: newCreativeOf(adType, shown, size),
    });
    return await makesAd.mutateAsync({
      body: {
        ...wordsOf(items[0]),
        name: sizedName(row.name, shown),
        adgroup_id: group,
        creative_id: creative.id,
      },
    });
  };
  return (
    <Stack>
      <Text size="sm">{t.addPicturesLead}</Text>
      {!isOnly && (
        <Pick
          label={i.adGroup}
          source={adGroupPick({ campaign_id: row.id })}
          value={String(group)}
          onPick={(picked) => setGroup(picked === null ? newest.id : Number(picked.value))}
        />
      )}
      <UploadMany label={t.creative} route={createAd.route} send={send} needsSize>
        {(ad) => (
          <>
            <State state={ad.audit_status} />
            <Anchor component={Link} to={`/advertiser/ads/${ad.id}`} size="sm">
              {c.open}
            </Anchor>
          </>
        )}
      </UploadMany>
    </Stack>
  );
}

/** What a viewer reads beside the picture, and where a click leads. */
function wordsOf(ad: Ad | undefined) {
  if (ad === undefined) return {};
  const { title, description, brand_name, button_text, display_url, landing_url } = ad;
  return { title, description, brand_name, button_text, display_url, landing_url };
}
