import { lazy, Suspense } from 'react';
import type { Creative } from '../../../../client/routes.ts';
import { Preview } from '../../../parts/preview.tsx';

/** Few are of this kind: what reads its document comes with one. */
const VastShown = lazy(async () => {
  const { VastShown: shown } = await import('./vast-shown.tsx');
  return { default: shown };
});

/** A creative as a viewer sees it. */
export const CreativeShown = ({ creative }: { creative: Creative }) =>
  creative.creative_type === 'vast' ? (
    <Suspense>
      <VastShown creative={creative} />
    </Suspense>
  ) : (
    <Preview creative={creative} />
  );
