import { useDisclosure } from '@mantine/hooks';
import { viewer } from '../texts/viewer.ts';
import { ImageShown } from './image-shown.tsx';
import { RowButton } from './row-button.tsx';
import { useTexts } from './texts.ts';

/** Opens a picture over the whole window: of one that is shown as viewers see it, or small. */
export function Enlarge({ name, url }: { name: string; url: string }) {
  const t = useTexts(viewer);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <RowButton aria-label={t.enlargeOf(name)} onClick={open}>
        {t.enlarge}
      </RowButton>
      {isOpen && <ImageShown name={name} url={url} close={close} />}
    </>
  );
}
