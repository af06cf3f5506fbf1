import { type ComponentProps, lazy, Suspense } from 'react';
import { Loading } from './loading.tsx';

const ImageViewer = lazy(async () => ({
  default: (await import('./image-viewer.tsx')).ImageViewer,
}));

/** A picture that can be looked at closely, where it stands or over the whole window; what does that comes with the first one. */
export const ImageShown = (props: ComponentProps<typeof ImageViewer>) => (
  <Suspense fallback={props.close === undefined && <Loading height={240} />}>
    <ImageViewer {...props} />
  </Suspense>
);
