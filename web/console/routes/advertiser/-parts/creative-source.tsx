import { Button, SimpleGrid, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useController, useFormContext } from 'react-hook-form';
import { lazy, Suspense, useState } from 'react';
import { NumberField, TextAreaField, TextField } from '../../../parts/fields.tsx';
import { FileDrop } from '../../../parts/file-drop.tsx';
import { useFieldLabel } from '../../../parts/form-faults.tsx';
import { Preview } from '../../../parts/preview.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { type Asset, upload } from '../../../queries/advertiser/media.ts';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';
import { mediaTexts } from '../../../texts/advertiser/media.ts';
import { ACCEPTED_OF, previewOfAsset } from './shown.ts';

/** Of each kind, the field that its file goes into. */
export const FILE_FIELDS: Readonly<Record<string, FileField>> = {
  image: 'image_media_id',
  native: 'image_media_id',
  video: 'video_media_id',
  html5: 'html5_media_id',
};
type FileField = 'image_media_id' | 'video_media_id' | 'html5_media_id';

/** The one source that a kind of creative has. */
export function SourceFields({ kind }: { kind: string }) {
  const t = useTexts(creativeTexts);
  const file = FILE_FIELDS[kind];
  if (file !== undefined) return <MediaField key={file} name={file} />;
  return (
    <>
      {(kind === 'html' || kind === 'rich_media') && (
        <TextAreaField name="html_code" label={t.htmlCode} rows={8} />
      )}
      {kind === 'vast' && (
        <>
          <TextField name="vast_url" label={t.vastUrl} help={t.vastUrlHelp} type="url" />
          <TextAreaField name="vast_xml" label={t.vastXml} rows={6} />
        </>
      )}
      {kind !== 'text' && (
        <SimpleGrid cols={2}>
          <NumberField name="width" label={t.width} min={1} />
          <NumberField name="height" label={t.height} min={1} />
        </SimpleGrid>
      )}
    </>
  );
}

/** Of each field, the kind of file that it takes. */
const TYPES = {
  image_media_id: 'IMAGE',
  video_media_id: 'VIDEO',
  html5_media_id: 'HTML5',
} as const satisfies Record<FileField, Asset['type']>;

/** Only for who chooses from the library. */
const MediaPicker = lazy(async () => ({
  default: (await import('./media-picker.tsx')).MediaPicker,
}));

function MediaField({ name }: { name: FileField }) {
  const t = useTexts(creativeTexts);
  const l = useTexts(launchTexts);
  const m = useTexts(mediaTexts);
  useFieldLabel(name, m.kinds[TYPES[name]]);
  const { field, fieldState } = useController({ name });
  const { setValue } = useFormContext();
  const [asset, setAsset] = useState<Asset>();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const [opened, { open, close }] = useDisclosure();
  const type = TYPES[name];
  const take = (made: Asset): void => {
    // A window for files offers others too, and something dropped was never asked.
    setFault(made.type === type ? undefined : m.notOf[type]);
    if (made.type !== type) return;
    setAsset(made);
    field.onChange(made.id);
    if (made.type !== 'IMAGE') return;
    setValue('width', made.width);
    setValue('height', made.height);
  };
  const send = (file: File | undefined): void => {
    if (file === undefined) return;
    setBusy(true);
    setFault(undefined);
    upload(file)
      .then(take)
      .catch((error: unknown) => setFault((error as Error).message))
      .finally(() => setBusy(false));
  };
  return (
    <>
      {asset !== undefined && <Preview creative={previewOfAsset(asset)} />}
      <FileDrop
        ref={field.ref}
        label={field.value === null ? m.kinds[type] : t.replace}
        lead={m.dropOf[type]}
        button={l.choose}
        hint={
          <Stack gap={4} align="center">
            {m.limitsOf[type]}
            <Button size="compact-sm" variant="default" aria-haspopup="dialog" onClick={open}>
              {m.pick}
            </Button>
          </Stack>
        }
        accept={ACCEPTED_OF[type]}
        busy={busy ? l.uploading : null}
        error={fault ?? fieldState.error?.message}
        onFiles={([file]) => send(file)}
      />
      {opened && (
        <Suspense>
          <MediaPicker
            type={type}
            onClose={close}
            onPick={(picked) => {
              take(picked);
              close();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
