import { Group, List, Progress, Stack, Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { FileDrop } from '../../../parts/file-drop.tsx';
import { useMarks, useTexts } from '../../../parts/texts.ts';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';
import { type Asset, upload } from '../../../queries/advertiser/media.ts';
import { ACCEPTED, hasNoSize } from './shown.ts';

interface Upload<Made> {
  file: string;
  /** It does not say how large it is: nothing is made of it before its person has. */
  asked?: Asset;
  /** What it became. */
  made?: Made;
  fault?: string;
}

/** Few zips say no size: its list of choices is not loaded before one does not. */
const ZipSize = lazy(async () => ({ default: (await import('./zip-size.tsx')).ZipSize }));

/** Many files, one after the other, so that none runs into the limit of writes; each says how it went. */
export function UploadMany<Made>(props: {
  label: string;
  /** What takes them. */
  route: string;
  send: (asset: Asset, size: string | null) => Promise<Made>;
  /** Whether what is made needs a size, also of a zip that says none. */
  needsSize?: boolean;
  /** What became of one. */
  children: (made: Made) => ReactNode;
}) {
  const { label, route, send, needsSize = false, children } = props;
  const t = useTexts(creativeTexts);
  const marks = useMarks();
  const l = useTexts(launchTexts);
  const [uploads, setUploads] = useState<readonly Upload<Made>[]>([]);
  const [total, setTotal] = useState(0);
  const isBusy = uploads.length < total;
  const take = async (files: readonly File[]): Promise<void> => {
    setUploads([]);
    setTotal(files.length);
    for (const file of files) {
      const outcome = await upload(file)
        .then(async (asset): Promise<Upload<Made>> =>
          needsSize && hasNoSize(asset)
            ? { file: file.name, asked: asset }
            : { file: file.name, made: await send(asset, null) },
        )
        .catch((error: Error): Upload<Made> => ({ file: file.name, fault: error.message }));
      setUploads((was) => [...was, outcome]);
    }
  };
  return (
    <Stack gap="sm">
      <FileDrop
        route={route}
        label={label}
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
            {uploads.map(({ file, asked, made, fault }, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- two files may be called alike
              <List.Item key={at}>
                {asked !== undefined && (
                  <Suspense>
                    <ZipSize
                      asset={asked}
                      route={route}
                      send={async (size) => {
                        const became = { file, made: await send(asked, size) };
                        setUploads((was) => was.map((each, i) => (i === at ? became : each)));
                      }}
                    />
                  </Suspense>
                )}
                {fault !== undefined && (
                  <Group gap="xs">
                    {file}
                    <Text span size="sm" c="var(--mantine-color-error)">
                      {t.failed}
                      {marks.colon}
                      {fault}
                    </Text>
                  </Group>
                )}
                {made !== undefined && (
                  <Group gap="xs">
                    {file} {children(made)}
                  </Group>
                )}
              </List.Item>
            ))}
          </List>
        </Stack>
      )}
    </Stack>
  );
}
