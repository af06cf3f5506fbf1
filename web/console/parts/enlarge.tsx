import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { viewer } from '../texts/viewer.ts';
import { RowButton } from './row-button.tsx';
import { useTexts } from './texts.ts';

const ImageViewer = lazy(async () => ({
  default: (await import('./image-viewer.tsx')).ImageViewer,
}));

/** Opens a picture over the whole window: of one that is shown as viewers see it, or small. */
export function Enlarge({ name, url }: { name: string; url: string }) {
  const t = useTexts(viewer);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <RowButton aria-label={t.enlargeOf(name)} onClick={open}>
        {t.enlarge}
      </RowButton>
      {isOpen && (
        <Suspense>
          <ImageViewer name={name} url={url} close={close} />
        </Suspense>
      )}
    </>
  );
}
