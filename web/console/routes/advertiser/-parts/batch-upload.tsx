import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Creative } from '../../../../client/routes.ts';
import { useWrite } from '../../../api.ts';
import { State } from '../../../parts/state.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { create } from '../../../queries/advertiser/creative.ts';
import { type Asset, upload } from '../../../queries/advertiser/media.ts';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';
import { nameOfAsset } from './shown.ts';
import { OddSize } from './odd-size.tsx';
import { UploadMany } from './upload-many.tsx';

/** Each of many files becomes a creative in review. */
export function BatchUpload() {
  const t = useTexts(creativeTexts);
  const { mutateAsync } = useWrite(create);
  const send = async (file: File): Promise<Creative> =>
    await mutateAsync({ body: creativeOfAsset(await upload(file)) });
  return (
    <UploadMany label={t.uploadMany} route={create.route} send={send}>
      {(creative) => (
        <>
          <State state="PENDING" />
          <Anchor component={Link} to={`/advertiser/creatives/${creative.id}`} size="sm">
            {t.open}
          </Anchor>
          {creative.creative_type === 'image' && (
            <OddSize width={creative.width} height={creative.height} />
          )}
        </>
      )}
    </UploadMany>
  );
}

export function creativeOfAsset(asset: Asset) {
  const name = nameOfAsset(asset);
  const { id, width, height } = asset;
  if (asset.type === 'VIDEO') {
    return { name, creative_type: 'video' as const, video_media_id: id };
  }
  if (asset.type === 'HTML5') {
    return { name, creative_type: 'html5' as const, html5_media_id: id };
  }
  return { name, creative_type: 'image' as const, image_media_id: id, width, height };
}
