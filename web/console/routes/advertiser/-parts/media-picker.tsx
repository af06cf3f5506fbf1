import { Text } from '@mantine/core';
import { useTexts } from '../../../parts/texts.ts';
import { type Asset, list } from '../../../queries/advertiser/media.ts';
import { mediaTexts } from '../../../texts/advertiser/media.ts';
import { AssetFacts, AssetThumbnail } from './asset-shown.tsx';
import { nameOfAsset } from './shown.ts';
import { LibraryPicker } from './library-picker.tsx';

/** A file of one kind that is in the library already. */
export function MediaPicker({
  type,
  ...props
}: {
  type: Asset['type'];
  onPick: (asset: Asset) => void;
  onClose: () => void;
}) {
  const t = useTexts(mediaTexts);
  return (
    <LibraryPicker<Asset>
      {...props}
      title={t.pickOf[type]}
      label={t.name}
      list={(asked) => list({ ...asked, type })}
      none={(isSearched) => (isSearched ? t.noneFound : t.nonePick)}
    >
      {(asset) => (
        <>
          <AssetThumbnail asset={asset} />
          <Text size="sm" lineClamp={2}>
            {nameOfAsset(asset)}
          </Text>
          <AssetFacts asset={asset} />
        </>
      )}
    </LibraryPicker>
  );
}
