import { Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useWatch } from 'react-hook-form';
import { AdShown, isOfWords, type Pictures } from '../../../parts/ad-shown.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { previewOf } from './shown.ts';
import { type LaunchValues, orNull } from './launch-values.ts';

const TYPING_MS = 300;
const NO_PICTURES: Pictures = {
  width: null,
  height: null,
  image_url: null,
  video_url: null,
  icon_url: null,
};

/** An ad of words as it is written; the file alone says little of it. */
export function LaunchPreview() {
  const t = useTexts(inventory);
  const values = useWatch<LaunchValues>() as LaunchValues;
  // The frame is loaded anew with each change.
  const [written] = useDebouncedValue(values, TYPING_MS);
  const { ad_type: adType, creatives } = written;
  const [first] = creatives;
  const title = orNull(written.title);
  if (!isOfWords(adType) || title === null) return null;
  const picture = adType === 'TEXT' || first === undefined ? {} : previewOf(first);
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t.preview}
      </Text>
      <AdShown
        name={title}
        display={adType}
        words={{
          title,
          description: orNull(written.description),
          button_text: orNull(written.button_text),
          brand_name: orNull(written.brand_name),
          display_url: null,
        }}
        pictures={{ ...NO_PICTURES, ...picture }}
        landingUrl={written.landing_url}
      />
    </Stack>
  );
}
