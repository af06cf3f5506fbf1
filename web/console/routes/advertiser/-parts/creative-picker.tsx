import { Text } from '@mantine/core';
import type { Creative } from '../../../../client/routes.ts';
import { State } from '../../../parts/state.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { list } from '../../../queries/advertiser/creative.ts';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';
import { LibraryPicker } from './library-picker.tsx';
import { Thumbnail } from './thumbnail.tsx';

/** A creative of one's own, found by name. */
export function CreativePicker(props: {
  onPick: (creative: Creative) => void;
  onClose: () => void;
}) {
  const t = useTexts(creativeTexts);
  return (
    <LibraryPicker<Creative>
      {...props}
      title={t.pick}
      label={t.name}
      list={list}
      none={(isSearched) => (isSearched ? t.noneFound : t.none)}
    >
      {(creative) => (
        <>
          <Thumbnail creative={creative} />
          <Text size="sm" lineClamp={2}>
            {creative.name}
          </Text>
          <State state={creative.audit_status} />
        </>
      )}
    </LibraryPicker>
  );
}
