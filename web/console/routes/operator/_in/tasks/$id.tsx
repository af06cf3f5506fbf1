import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Loading } from '../../../../parts/loading.tsx';
import { TASK_KINDS } from '../../../../../../domain/lifecycle/task.ts';
import { FailedPage } from '../../../../parts/failed-page.tsx';
import { oneOf, stated } from '../../../../parts/search.ts';
import { REFRESH_MS } from '../../../../parts/refresh.ts';
import { profile } from '../../../../queries/operator/account.ts';
import { one } from '../../../../queries/operator/task.ts';
import { titles } from '../../../../texts/titles.ts';
import { Review } from './-review/review.tsx';

export const Route = createFileRoute('/operator/_in/tasks/$id')({
  /** Of what kind the next one is to be; absent is any. */
  validateSearch: (raw: Record<string, unknown>) =>
    stated({ kind: oneOf(TASK_KINDS, raw['kind']) }),
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(one(Number(id)));
    void queryClient.prefetchQuery(profile);
  },
  staticData: { title: (language) => titles[language].operatorTask },
  component: ReviewPage,
});

function ReviewPage() {
  const { id } = Route.useParams();
  const { kind } = Route.useSearch();
  const { data: me } = useQuery(profile);
  const {
    data: task,
    error,
    refetch,
  } = useQuery({
    ...one(Number(id)),
    // Another operator may take or decide it while one looks.
    refetchInterval: ({ state }) => (state.data?.status === 'open' ? REFRESH_MS : false),
  });
  if (error !== null && task === undefined)
    return <FailedPage error={error} again={() => void refetch()} />;
  if (task === undefined || me === undefined) return <Loading height={400} />;
  return <Review key={task.id} task={task} me={me} kind={kind} />;
}
