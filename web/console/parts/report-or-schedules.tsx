import { lazy, type ReactNode, Suspense } from 'react';
import type { Realm } from '../session.ts';
import { Loading } from './loading.tsx';
import type { ReportSearch } from './report-search.ts';

const ReportSchedules = lazy(async () => {
  const { ReportSchedules: page } = await import('./report-schedules-page.tsx');
  return { default: page };
});

/** The report, or in its place the list of those that come by mail, which is part of the same address. */
export function ReportOrSchedules(props: {
  realm: Realm;
  search: ReportSearch;
  children: ReactNode;
}) {
  if (props.search.schedules === undefined) return props.children;
  return (
    <Suspense fallback={<Loading height={240} />}>
      <ReportSchedules realm={props.realm} />
    </Suspense>
  );
}
