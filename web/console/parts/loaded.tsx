import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from './loading.tsx';
import { Failed } from './failed.tsx';
import { FailedPage } from './failed-page.tsx';

/** What was read, or that it is being read, or why it was not. */
export function Loaded<Data, Key extends QueryKey>({
  query,
  height = 120,
  isPage = false,
  children,
}: {
  query: UseQueryOptions<Data, Error, Data, Key>;
  height?: number;
  /** What is read is the page's own record: its head comes with it. */
  isPage?: boolean;
  children: (data: Data) => ReactNode;
}) {
  const { data, error, refetch } = useQuery(query);
  if (data !== undefined) return children(data);
  if (error !== null) {
    const Shown = isPage ? FailedPage : Failed;
    return <Shown error={error} again={() => void refetch()} />;
  }
  return <Loading height={height} />;
}
