import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import type { Creative } from '../../../../client/routes.ts';
import { FileDrop } from '../../../parts/file-drop.tsx';
import { Preview, type Previewed } from '../../../parts/preview.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { type Asset, upload } from '../../../queries/advertiser/media.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';
import { CreativePicker } from './creative-picker.tsx';
import { OddSize } from './odd-size.tsx';

/** What an ad shows: a file that was uploaded just now, or a creative that exists. */
export type Shown = { from: 'file'; asset: Asset } | { from: 'library'; creative: Creative };

export const ACCEPTED_OF = {
  IMAGE: 'image/jpeg,image/png,image/gif,image/webp,image/avif',
  VIDEO: 'video/mp4,video/webm',
  HTML5: '.zip',
};

export const ACCEPTED = Object.values(ACCEPTED_OF).join(',');

/** Uploads as soon as a file is there, and shows what a viewer will see. */
export function CreativeField({
  name,
  onShown,
}: {
  name: string;
  onShown: (shown: Shown) => void;
}) {
  const t = useTexts(launchTexts);
  const { field, fieldState } = useController({
    name,
    rules: { validate: (value) => value !== null || t.creativeNeeded },
  });
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [opened, { open, close }] = useDisclosure();
  const take = (shown: Shown): void => {
    setRefusal(undefined);
    field.onChange(shown);
    onShown(shown);
  };
  const send = (file: File | undefined): void => {
    if (file === undefined) return;
    setBusy(true);
    setRefusal(undefined);
    upload(file)
      .then((asset) => take({ from: 'file', asset }))
      .catch((error: unknown) => setRefusal((error as Error).message))
      .finally(() => setBusy(false));
  };
  const shown = field.value as Shown | null;
  const picker = opened ? (
    <CreativePicker
      onClose={close}
      onPick={(creative) => {
        take({ from: 'library', creative });
        close();
      }}
    />
  ) : null;
  if (shown !== null) {
    return (
      <Chosen
        shown={shown}
        fault={fieldState.error?.message}
        onAnother={() => field.onChange(null)}
      />
    );
  }
  return (
    <>
      <FileDrop
        ref={field.ref}
        label={t.creative}
        lead={t.drop}
        button={t.choose}
        accept={ACCEPTED}
        busy={busy ? t.uploading : null}
        error={refusal ?? fieldState.error?.message}
        onFiles={([file]) => send(file)}
        hint={
          <Stack gap={4} align="center">
            {t.limits}
            <Button size="compact-sm" variant="default" aria-haspopup="dialog" onClick={open}>
              {t.existing}
            </Button>
          </Stack>
        }
      />
      {picker}
    </>
  );
}

function Chosen(props: { shown: Shown; fault: string | undefined; onAnother: () => void }) {
  const { shown, fault, onAnother } = props;
  const t = useTexts(launchTexts);
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t.creative}
      </Text>
      <Preview creative={previewOf(shown)} />
      <Group gap="xs">
        <Text size="sm">{nameOf(shown)}</Text>
        <Button size="compact-sm" variant="default" onClick={onAnother}>
          {t.another}
        </Button>
      </Group>
      {shown.from === 'file' && shown.asset.type === 'IMAGE' && (
        <OddSize {...sizeOf(shown.asset)} />
      )}
      {fault !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {fault}
        </Text>
      )}
    </Stack>
  );
}

const sizeOf = ({ width, height }: Asset) => ({ width, height });

export const nameOf = (shown: Shown): string =>
  shown.from === 'library' ? shown.creative.name : nameOfAsset(shown.asset);

/** A file's name without what only machines read. */
export function nameOfAsset({ name, id }: Asset): string {
  const words = (name ?? '')
    .replace(/\.\w{2,5}$/, '')
    .replaceAll(/[-_]+/g, ' ')
    .trim();
  return words === '' ? `#${id}` : words;
}

export const previewOf = (shown: Shown): Previewed =>
  shown.from === 'library' ? shown.creative : previewOfAsset(shown.asset);

export const previewOfAsset = (asset: Asset): Previewed => ({
  name: asset.name ?? `#${asset.id}`,
  width: asset.width,
  height: asset.height,
  image_url: asset.type === 'IMAGE' ? asset.url : null,
  video_url: asset.type === 'VIDEO' ? asset.url : null,
  html5_url: asset.type === 'HTML5' ? asset.url : null,
});

export const isHtml5 = (shown: Shown): boolean =>
  shown.from === 'file' && shown.asset.type === 'HTML5';
