import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import { FileDrop } from '../../../parts/file-drop.tsx';
import { useFieldLabel } from '../../../parts/form-faults.tsx';
import { useMarks, useTexts } from '../../../parts/texts.ts';
import { upload } from '../../../queries/advertiser/media.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';
import { CreativePicker } from './creative-picker.tsx';
import { ACCEPTED, keyOf, type Shown } from './shown.ts';
import { ShownCreatives } from './shown-creatives.tsx';

/** Each is two writes after its upload, and all of them are sent within a minute. */
const SHOWN_MAX = 12;

/** Uploads as soon as files are there, one after the other, and shows what a viewer will see of each. */
export function CreativeField({
  name,
  onShown,
}: {
  name: string;
  /** The first of them says what the ad is. */
  onShown: (shown: Shown) => void;
}) {
  const t = useTexts(launchTexts);
  const marks = useMarks();
  const { getValues } = useFormContext();
  const [busy, setBusy] = useState<{ done: number; all: number } | null>(null);
  const isSending = useRef(false);
  useFieldLabel(name, t.creative);
  const { field, fieldState } = useController({
    name,
    rules: {
      validate: (value: readonly Shown[]) =>
        isSending.current ? t.stillUploading : value.length > 0 || t.creativeNeeded,
    },
  });
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const [opened, { open, close }] = useDisclosure();
  // What the form has now: others may have been added, or taken away, while a file was under way.
  const now = (): readonly Shown[] => getValues(name) as readonly Shown[];
  const take = (shown: Shown): void => {
    if (now().some((other) => keyOf(other) === keyOf(shown))) return;
    const isFirst = now().length === 0;
    field.onChange([...now(), shown]);
    if (isFirst) onShown(shown);
  };
  const send = async (files: readonly File[]): Promise<void> => {
    const room = Math.max(0, SHOWN_MAX - now().length);
    setRefusals(files.length > room ? [t.tooMany(SHOWN_MAX)] : []);
    isSending.current = true;
    for (const [done, file] of files.slice(0, room).entries()) {
      setBusy({ done, all: Math.min(files.length, room) });
      await upload(file)
        .then((asset) => take({ from: 'file', asset }))
        .catch((error: unknown) =>
          setRefusals((was) => [...was, `${file.name}${marks.colon}${(error as Error).message}`]),
        );
    }
    isSending.current = false;
    setBusy(null);
  };
  const shown = field.value as readonly Shown[];
  const fault = refusals.length > 0 ? refusals.join(' ') : fieldState.error?.message;
  return (
    <>
      <FileDrop
        ref={field.ref}
        label={t.creative}
        lead={shown.length === 0 ? t.drop : t.dropMore}
        button={shown.length === 0 ? t.chooseSome : t.chooseMore}
        accept={ACCEPTED}
        many
        required
        busy={busy === null ? null : busy.all === 1 ? t.uploading : t.uploadingOf(busy)}
        error={fault}
        onFiles={(files) => void send(files)}
        hint={
          <Stack gap={4} align="center">
            {t.limits}
            <Button size="compact-sm" variant="default" aria-haspopup="dialog" onClick={open}>
              {t.existing}
            </Button>
          </Stack>
        }
      />
      {shown.length > 0 && (
        <ShownCreatives
          shown={shown}
          onRemove={(gone) => field.onChange(now().filter((each) => keyOf(each) !== gone))}
        />
      )}
      {opened && (
        <CreativePicker
          onClose={close}
          onPick={(creative) => {
            take({ from: 'library', creative });
            close();
          }}
        />
      )}
    </>
  );
}
