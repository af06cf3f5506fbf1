import { useQueries, type UseQueryOptions } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { Loading } from './loading.tsx';

const HEIGHT = 480;

/**
 * What would push one another down the page as it comes, and a button away from the finger that presses it: shown
 * when all of it was read, or was not. Each of its parts says itself what failed.
 */
export function Together({
  reads,
  children,
}: {
  // oxlint-disable-next-line typescript/no-explicit-any -- keys and answers of queries are of many shapes
  reads: readonly UseQueryOptions<any, Error, any, any>[];
  children: ReactNode;
}) {
  const isPending = useQueries({
    queries: reads,
    combine: (all) => all.some((each) => each.isPending),
  });
  const wait = <Loading height={HEIGHT} />;
  return isPending ? wait : <Suspense fallback={wait}>{children}</Suspense>;
}
