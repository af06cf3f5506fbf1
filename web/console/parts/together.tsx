import { useQueries, type UseQueryOptions } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Loading } from './loading.tsx';

const HEIGHT = 480;

/** One that hangs does not keep the others from whoever came for them. */
const REST_MS = 4_000;

/**
 * What would push one another down the page as it comes, and a button away from the finger that presses it: shown
 * when all of it was read, or was not, or has had some seconds longer than the first. Each of its parts says itself
 * what failed.
 */
export function Together({
  reads,
  children,
}: {
  // oxlint-disable-next-line typescript/no-explicit-any -- keys and answers of queries are of many shapes
  reads: readonly UseQueryOptions<any, Error, any, any>[];
  children: ReactNode;
}) {
  const come = useQueries({
    queries: reads,
    combine: (all) => all.filter((each) => !each.isPending).length,
  });
  const [isLate, setLate] = useState(false);
  const isPart = come > 0 && come < reads.length;
  // From the first one on, the others have their time.
  useEffect(() => {
    if (!isPart) return undefined;
    const timer = setTimeout(() => setLate(true), REST_MS);
    return () => clearTimeout(timer);
  }, [isPart]);
  const wait = <Loading height={HEIGHT} />;
  if (come < reads.length && !isLate) return wait;
  return <Suspense fallback={wait}>{children}</Suspense>;
}
