import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Creative } from '../../../../client/routes.ts';
import { useWrite } from '../../../api.ts';
import { State } from '../../../parts/state.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { create } from '../../../queries/advertiser/creative.ts';
import type { Asset } from '../../../queries/advertiser/media.ts';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';
import { newCreativeOf } from './launch-values.ts';
import { OddSize } from './odd-size.tsx';
import { UploadMany } from './upload-many.tsx';

/** Each of many files becomes a creative in review. */
export function BatchUpload() {
  const t = useTexts(creativeTexts);
  const { mutateAsync } = useWrite(create);
  const send = async (asset: Asset, size: string | null): Promise<Creative> =>
    await mutateAsync({ body: newCreativeOf('BANNER', { from: 'file', asset }, size) });
  return (
    <UploadMany label={t.uploadMany} route={create.route} send={send} needsSize>
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
