import { Anchor, Group, List, Progress, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Creative } from '../../../../client/routes.ts';
import { useWrite } from '../../../api.ts';
import { FileDrop } from '../../../parts/file-drop.tsx';
import { State } from '../../../parts/state.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { type Asset, create, upload } from '../../../queries/advertiser/creative.ts';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';
import { ACCEPTED, nameOfAsset } from './creative-field.tsx';
import { OddSize } from './odd-size.tsx';

interface Upload {
  file: string;
  /** What it became. */
  creative?: Creative;
  fault?: string;
}

/** Many files, one after the other, so that none runs into the limit of writes; each says how it went. */
export function BatchUpload() {
  const t = useTexts(creativeTexts);
  const l = useTexts(launchTexts);
  const { mutateAsync } = useWrite(create);
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [total, setTotal] = useState(0);
  const isBusy = uploads.length < total;
  const take = async (files: readonly File[]): Promise<void> => {
    setUploads([]);
    setTotal(files.length);
    for (const file of files) {
      const outcome = await upload(file)
        .then(async (asset) => await mutateAsync({ body: creativeOfAsset(asset) }))
        .then((creative): Upload => ({ file: file.name, creative }))
        .catch((error: Error): Upload => ({ file: file.name, fault: error.message }));
      setUploads((was) => [...was, outcome]);
    }
  };
  return (
    <Stack gap="sm">
      <FileDrop
        route={create.route}
        label={t.uploadMany}
        lead={t.drop}
        button={t.chooseMany}
        hint={l.limits}
        accept={ACCEPTED}
        many
        busy={isBusy ? t.uploading(uploads.length, total) : null}
        onFiles={(files) => void take(files)}
      />
      {total > 0 && (
        <Stack gap={4} aria-live="polite">
          <Progress value={(uploads.length / total) * 100} aria-label={t.uploads} />
          <List listStyleType="none" size="sm" spacing={4}>
            {uploads.map(({ file, creative, fault }) => (
              <List.Item key={file}>
                <Group gap="xs">
                  {file}
                  {creative === undefined ? (
                    <Text span size="sm" c="var(--mantine-color-error)">
                      {t.failed}: {fault}
                    </Text>
                  ) : (
                    <>
                      <State state="PENDING" />
                      <Anchor
                        component={Link}
                        to={`/advertiser/creatives/${creative.id}`}
                        size="sm"
                      >
                        {t.open}
                      </Anchor>
                    </>
                  )}
                </Group>
                {creative?.creative_type === 'image' && (
                  <OddSize width={creative.width} height={creative.height} />
                )}
              </List.Item>
            ))}
          </List>
        </Stack>
      )}
    </Stack>
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
