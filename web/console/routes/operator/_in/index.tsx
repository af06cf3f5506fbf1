import { Kbd, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Loading } from '../../../parts/loading.tsx';
import { TASK_KINDS } from '../../../../../domain/lifecycle/task.ts';
import { useWrite } from '../../../api.ts';
import { type Filter, Filters } from '../../../parts/filters.tsx';
import { Keys } from '../../../parts/keys.tsx';
import { List } from '../../../parts/list-page.tsx';
import { Page } from '../../../parts/page.tsx';
import { numberOf, oneOf, stated } from '../../../parts/search.ts';
import { useSearchChange } from '../../../parts/search-change.ts';
import { useTexts } from '../../../parts/texts.ts';
import { refused, told } from '../../../parts/toast.ts';
import { REFRESH_MS } from '../../../parts/refresh.ts';
import { claimNext, counts, list, type TaskKind } from '../../../queries/operator/task.ts';
import { desk } from '../../../texts/desk.ts';
import { operator } from '../../../texts/operator.ts';
import { titles } from '../../../texts/titles.ts';
import { states } from '../../../texts/states.ts';
import { TASK_COLUMNS } from './-desk/columns.tsx';
import { Kinds } from './-desk/kinds.tsx';
import { OneThing } from './-desk/one-thing.tsx';
import { useWaitingBeside } from './-shown/use-waiting-beside.ts';
import { focusTask } from './-desk/focus-task.ts';
import { scopeOf } from './-desk/scope-filter.ts';

/** With all that approvals and settings are called: not before one waits. */
const WaitingBeside = lazy(async () => {
  const { WaitingBeside: table } = await import('./-desk/waiting-beside.tsx');
  return { default: table };
});

const STATUSES = ['decided', 'void'] as const;

const SUBJECTS = [
  'campaign',
  'adgroup',
  'ad',
  'creative',
  'site',
  'zone',
  'kyc',
  'deposit',
  'withdrawal',
] as const;

export const Route = createFileRoute('/operator/_in/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      kind: oneOf(TASK_KINDS, raw['kind']),
      status: oneOf(STATUSES, raw['status']),
      mine: oneOf(['true'], raw['mine']),
      scope: oneOf(['all'], raw['scope']),
      subject_type: oneOf(SUBJECTS, raw['subject_type']),
      subject_id: numberOf(raw['subject_id']),
    }),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(counts);
  },
  staticData: { title: (language) => titles[language].operatorHome, views: 'desk' },
  component: Desk,
});

function Desk() {
  const t = useTexts(desk);
  const { scope, ...search } = Route.useSearch();
  const set = useSearchChange();
  const { data: counted } = useQuery(counts);
  const { total } = useWaitingBeside();
  const claim = useClaimNext(search.kind);
  // Until it is known what this role decides, nothing is asked for.
  const own = counted?.kinds.filter(({ decidable }) => decidable).map(({ kind }) => kind);
  const refusal = own?.length === 0 ? t.noneYours : null;
  const claimByKey = (): void => {
    if (refusal === null) claim().catch(refused);
    else refused(new Error(refusal));
  };
  const isOne = search.subject_id !== undefined;
  const isAll = scope === 'all' || search.kind !== undefined || isOne;
  const kinds = isAll ? undefined : own?.join(',');
  const { page, ...chosen } = search;
  // They are of no kind, nobody's and not decided: a choice of the queue leaves none of them.
  const isWhole = page === undefined && Object.keys(chosen).length === 0;
  return (
    <Page
      title={useTexts(operator).home}
      lead={isOne ? <OneThing type={search.subject_type} id={search.subject_id} /> : t.lead}
      actions={[{ label: t.claimNext, hint: <Kbd size="xs">c</Kbd>, run: claim, refusal }]}
    >
      <Keys
        bindings={[
          { key: 'j', label: t.keyDown, run: () => focusTask(1) },
          { key: 'k', label: t.keyUp, run: () => focusTask(-1) },
          { key: 'Enter', label: t.keyOpen, native: true },
          { key: 'c', label: t.claimNext, run: claimByKey },
        ]}
      />
      {isWhole && total > 0 && (
        <Suspense fallback={<Loading height={160} />}>
          <WaitingBeside />
        </Suspense>
      )}
      <Kinds chosen={search.kind} onChoose={(kind) => set({ kind })} />
      <Filters
        values={{ ...search, scope }}
        filters={useFilters(own?.length === 0)}
        onChange={set}
      />
      {own !== undefined && (
        <List
          label={t.queue}
          query={{
            // Of one thing, what was decided is shown too.
            ...list({ ...(isOne ? {} : { status: 'open' }), ...search, ...stated({ kinds }) }),
            refetchInterval: REFRESH_MS,
          }}
          columns={TASK_COLUMNS}
          texts={t}
          rowKey={({ id }) => id}
          empty={{
            title: t.nothingWaits,
            next: (
              <Text size="sm" c="dimmed">
                {t.nothingWaitsHelp}
              </Text>
            ),
          }}
          searchEmpty={Object.keys(chosen).length > 0 ? { title: t.noneFound } : null}
          onPage={(page) => set({ page })}
        />
      )}
    </Page>
  );
}

/** Takes the most urgent task that nobody has, and opens it. */
function useClaimNext(kind: TaskKind | undefined): () => Promise<void> {
  const t = useTexts(desk);
  const navigate = Route.useNavigate();
  const { mutateAsync } = useWrite(claimNext);
  return async () => {
    const next = await mutateAsync({ body: kind === undefined ? {} : { kinds: [kind] } });
    if (next === null) {
      told(t.nothingWaits);
      return;
    }
    const params = { id: String(next.id) };
    await navigate({ to: '/operator/tasks/$id', params, search: stated({ kind }) });
  };
}

function useFilters(isReader: boolean): Filter[] {
  const t = useTexts(desk);
  const s = useTexts(states);
  return [
    {
      kind: 'choice',
      name: 'status',
      label: t.status,
      options: (['decided', 'void'] as const).map((value) => ({ value, label: s[value] })),
      unset: s.open,
    },
    {
      kind: 'choice',
      name: 'mine',
      label: t.whose,
      options: [{ value: 'true', label: t.mine }],
      unset: t.all,
    },
    ...(isReader ? [] : [scopeOf(t)]),
  ];
}
