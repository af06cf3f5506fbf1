import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { Preview } from '../../../parts/preview.tsx';
import { useMarks, useTexts } from '../../../parts/texts.ts';
import { options } from '../../../queries/advertiser/campaign.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';
import { keyOf, nameOf, previewOf, type Shown, sizeOf } from './shown.ts';
import classes from './creatives.module.css';
import { OddSize } from './odd-size.tsx';
import { Thumbnail } from './thumbnail.tsx';

/** What was chosen: one as large as a viewer sees it, several beside each other. */
export function ShownCreatives(props: {
  shown: readonly Shown[];
  onRemove: (key: string) => void;
}) {
  const { shown, onRemove } = props;
  const t = useTexts(launchTexts);
  const [only, second] = shown;
  const sizes = new Map(shown.filter(isPicture).map((each) => [sizeText(each), sizeOf(each)]));
  return (
    <Stack gap="xs">
      {only !== undefined && second === undefined ? (
        <>
          <Preview creative={previewOf(only)} />
          <Named shown={only} onRemove={onRemove} />
        </>
      ) : (
        <ul className={classes['grid']} aria-label={t.creative}>
          {shown.map((each) => (
            <li key={keyOf(each)} className={classes['card']}>
              <SmallOne shown={each} />
              <Named shown={each} onRemove={onRemove} />
            </li>
          ))}
        </ul>
      )}
      {shown.length > 1 && <Text size="sm">{t.adOfEach(shown.length)}</Text>}
      {[...sizes].map(([key, size]) => (
        <OddSize key={key} {...size} />
      ))}
      <OtherSizes sizes={[...sizes.keys()]} />
    </Stack>
  );
}

const isPicture = (shown: Shown): boolean => shown.from === 'file' && shown.asset.type === 'IMAGE';

const sizeText = (shown: Shown): string => {
  const { width, height } = sizeOf(shown);
  return `${width}\u00a0×\u00a0${height}`;
};

function SmallOne({ shown }: { shown: Shown }) {
  if (shown.from === 'library') return <Thumbnail creative={shown.creative} />;
  const { image_url = null, video_url = null } = previewOf(shown);
  return (
    <Thumbnail
      creative={{
        creative_type: shown.asset.type === 'VIDEO' ? 'video' : 'html5',
        image_url,
        video_url,
      }}
    />
  );
}

function Named({ shown, onRemove }: { shown: Shown; onRemove: (key: string) => void }) {
  const t = useTexts(launchTexts);
  const { colon } = useMarks();
  const name = nameOf(shown);
  return (
    <>
      <Text size="sm" className={classes['name'] ?? ''}>
        {name}
        {sizeOf(shown).width !== null && (
          <Text span inherit c="dimmed">
            {' '}
            {sizeText(shown)}
          </Text>
        )}
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        w="fit-content"
        aria-label={`${t.remove}${colon}${name}`}
        onClick={() => onRemove(keyOf(shown))}
      >
        {t.remove}
      </Button>
    </>
  );
}

/** Most places take banners of exactly their own size, so each size that is added is more places. */
function OtherSizes({ sizes }: { sizes: readonly string[] }) {
  const t = useTexts(launchTexts);
  const marks = useMarks();
  const adType = useWatch({ name: 'ad_type' }) as string;
  const { data } = useQuery(options);
  const usual = (data?.items ?? [])
    .filter(({ ad_type: type, width }) => type === 'BANNER' && width !== null)
    .map(({ width, height }) => `${width}\u00a0×\u00a0${height}`);
  // A size that is none of them has been answered with all of them.
  if (adType !== 'BANNER' || sizes.length === 0) return null;
  if (sizes.some((size) => !usual.includes(size))) return null;
  const missing = usual.filter((size) => !sizes.includes(size));
  if (missing.length === 0) return null;
  return <Text size="sm">{t.otherSizes(missing.join(marks.comma))}</Text>;
}
