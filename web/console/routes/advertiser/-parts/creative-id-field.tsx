import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import { queryClient, useWrite } from '../../../api.ts';
import { FileDrop } from '../../../parts/file-drop.tsx';
import { useFieldLabel } from '../../../parts/form-faults.tsx';
import { Preview } from '../../../parts/preview.tsx';
import { State } from '../../../parts/state.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { one as adGroupOf } from '../../../queries/advertiser/ad-group.ts';
import { one as campaignOf } from '../../../queries/advertiser/campaign.ts';
import { create, one as creativeOf } from '../../../queries/advertiser/creative.ts';
import { type Asset, upload } from '../../../queries/advertiser/media.ts';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';
import { CreativePicker } from './creative-picker.tsx';
import { type AdType, isVideo, newCreativeOf, showsVideo } from './launch-values.ts';
import { ACCEPTED, hasNoSize, nameOfAsset } from './shown.ts';

/** Few zips say no size: its list of choices is not loaded before one does not. */
const ZipSize = lazy(async () => ({ default: (await import('./zip-size.tsx')).ZipSize }));

/** What an ad shows: a file that becomes a creative here, or one that is there already. */
export function CreativeIdField() {
  const l = useTexts(launchTexts);
  useFieldLabel('creative_id', useTexts(creativeTexts).title);
  const { field, fieldState } = useController({
    name: 'creative_id',
    rules: { validate: (value) => value !== null || l.creativeNeeded },
  });
  const { getValues, setValue } = useFormContext<{ adgroup_id: number | null; name: string }>();
  const makes = useWrite(create);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const [asked, setAsked] = useState<Asset>();
  const [opened, { open, close }] = useDisclosure();
  const id = field.value as number | null;
  const become = async (asset: Asset, size: string | null): Promise<void> => {
    const shown = { from: 'file', asset } as const;
    const adType = await adTypeOf(getValues('adgroup_id'));
    if (adType !== undefined && isVideo(shown) !== showsVideo(adType)) {
      throw new Error(showsVideo(adType) ? l.wrongKind : l.wrongVideo);
    }
    const made = await makes.mutateAsync({ body: newCreativeOf(adType ?? 'BANNER', shown, size) });
    field.onChange(made.id);
    setAsked(undefined);
    if (getValues('name') === '') setValue('name', nameOfAsset(asset), { shouldDirty: true });
  };
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setBusy(true);
    setFault(undefined);
    setAsked(undefined);
    await upload(file)
      .then(async (asset) => {
        if (hasNoSize(asset)) setAsked(asset);
        else await become(asset, null);
      })
      .catch((error: unknown) => setFault((error as Error).message));
    setBusy(false);
  };
  return (
    <Stack gap="xs">
      {id !== null && <ShownCreative id={id} />}
      <FileDrop
        ref={field.ref}
        route={create.route}
        label={l.creative}
        lead={id === null ? l.dropOne : l.dropAnother}
        button={l.choose}
        accept={ACCEPTED}
        required
        busy={isBusy ? l.uploading : null}
        error={fault ?? fieldState.error?.message}
        onFiles={([file]) => void take(file)}
        hint={
          <Stack gap={4} align="center">
            {l.limits}
            <Button size="compact-sm" variant="default" aria-haspopup="dialog" onClick={open}>
              {l.existing}
            </Button>
          </Stack>
        }
      />
      {asked !== undefined && (
        <Suspense>
          <ZipSize
            asset={asked}
            route={create.route}
            send={async (size) => await become(asked, size)}
          />
        </Suspense>
      )}
      {opened && (
        <CreativePicker
          onClose={close}
          onPick={(creative) => {
            field.onChange(creative.id);
            setFault(undefined);
            setAsked(undefined);
            close();
          }}
        />
      )}
    </Stack>
  );
}

/** Of the campaign above, once a group is chosen: a film is none for places of pictures. */
async function adTypeOf(adGroup: number | null): Promise<AdType | undefined> {
  if (adGroup === null) return undefined;
  const { campaign_id: campaign } = await queryClient.fetchQuery(adGroupOf(adGroup));
  return (await queryClient.fetchQuery(campaignOf(campaign))).ad_type as AdType;
}

function ShownCreative({ id }: { id: number }) {
  const t = useTexts(creativeTexts);
  const { data } = useQuery(creativeOf(id));
  if (data === undefined) return null;
  return (
    <>
      <Text size="sm" fw={600}>
        {t.title}
      </Text>
      <Text size="sm" component="div">
        {data.name} <State state={data.audit_status} />
      </Text>
      <Preview creative={data} />
    </>
  );
}
