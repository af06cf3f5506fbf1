import type { Campaign } from '../../../../client/routes.ts';
import { lazy, Suspense, useState } from 'react';
import { RefusableButton, useForbidden } from '../../../parts/permission.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { create } from '../../../queries/advertiser/ad.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';

/** Most who look at a campaign add nothing. */
const AddPicturesDialog = lazy(async () => ({
  default: (await import('./add-pictures-dialog.tsx')).AddPicturesDialog,
}));

/** More sizes for a campaign that runs: one press, and the files. */
export function AddPictures({ row }: { row: Campaign }) {
  const t = useTexts(launchTexts);
  const [opened, setOpened] = useState(false);
  const forbidden = useForbidden(create.route);
  // Its ads show words alone.
  if (row.ad_type === 'TEXT') return null;
  return (
    <>
      <RefusableButton
        size="compact-sm"
        variant="default"
        aria-haspopup="dialog"
        refusal={forbidden}
        onClick={() => setOpened(true)}
      >
        {t.addPictures}
      </RefusableButton>
      {opened && (
        <Suspense>
          <AddPicturesDialog row={row} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}
