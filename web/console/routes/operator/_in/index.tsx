import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useWrite } from '../../../api.ts';
import { Filters } from '../../../parts/filters.tsx';
import { Keys } from '../../../parts/keys.tsx';
import { List } from '../../../parts/list-page.tsx';
import { Page } from '../../../parts/page.tsx';
import { numberOf, oneOf, stated } from '../../../parts/search.ts';
import { useTexts } from '../../../parts/texts.ts';
import { refused, told } from '../../../parts/toast.ts';
import { claimNext, counts, list, type TaskKind } from '../../../queries/operator/task.ts';
import { desk } from '../../../texts/desk.ts';
import { operator } from '../../../texts/operator.ts';
import { states } from '../../../texts/states.ts';
import { TASK_COLUMNS } from './-desk/columns.tsx';
import { Kinds } from './-desk/kinds.tsx';
import { focusTask } from './-desk/focus-task.ts';

const REFRESH_MS = 15_000;
const STATUSES = ['open', 'decided', 'void'] as const;
const KINDS = [
  'campaign_review',
  'adgroup_review',
  'ad_review',
  'creative_review',
  'site_review',
  'zone_review',
  'kyc_review',
  'deposit_review',
  'deposit_second_approval',
  'withdrawal_review',
  'withdrawal_second_approval',
  'payout_unknown',
  'suspense',
] as const satisfies readonly TaskKind[];

export const Route = createFileRoute('/operator/_in/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      kind: oneOf(KINDS, raw['kind']),
      status: oneOf(STATUSES, raw['status']),
      mine: oneOf(['true'], raw['mine']),
      scope: oneOf(['all'], raw['scope']),
    }),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(counts);
  },
  staticData: { title: (language) => operator[language].home },
  component: Desk,
});

function Desk() {
  const t = useTexts(desk);
  const s = useTexts(states);
  const { scope, ...search } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { data: counted } = useQuery(counts);
  const take = useWrite(claimNext);
  // Until it is known what this role decides, nothing is asked for.
  const own = counted?.kinds.filter(({ decidable }) => decidable).map(({ kind }) => kind);
  const kinds = scope === 'all' || own === undefined ? undefined : own.join(',');
  const query = list({
    status: 'open',
    ...search,
    ...(search.kind === undefined ? { kinds } : {}),
  });
  const claim = async (): Promise<void> => {
    const next = await take.mutateAsync({
      body: search.kind === undefined ? {} : { kinds: [search.kind] },
    });
    if (next === null) told(t.nothingWaits);
    else await navigate({ to: '/operator/tasks/$id', params: { id: String(next.id) } });
  };
  const set = (change: Record<string, string | undefined>): void =>
    void navigate({ search: (was) => stated({ ...was, ...change, page: undefined }) as never });
  const isFiltered =
    search.kind !== undefined || search.mine !== undefined || search.status !== undefined;
  return (
    <Page
      title={useTexts(operator).home}
      lead={t.lead}
      actions={[{ label: `${t.claimNext} (c)`, run: claim }]}
    >
      <Keys
        bindings={[
          { key: 'j', label: t.keyDown, run: () => focusTask(1) },
          { key: 'k', label: t.keyUp, run: () => focusTask(-1) },
          { key: 'Enter', label: t.keyOpen, native: true },
          { key: 'c', label: t.claimNext, run: () => void claim().catch(refused) },
        ]}
      />
      <Kinds chosen={search.kind} onChoose={(kind) => set({ kind })} />
      <Filters
        values={{ ...search, scope }}
        filters={[
          choice(
            'status',
            t.status,
            STATUSES.map((value) => ({ value, label: s[value] })),
          ),
          choice('mine', t.whose, [{ value: 'true', label: t.mine }]),
          choice('scope', t.kind, [{ value: 'all', label: t.everyKind }]),
        ]}
        onChange={set}
      />
      {own !== undefined && (
        <List
          label={t.queue}
          query={{ ...query, refetchInterval: REFRESH_MS }}
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
          searchEmpty={isFiltered ? { title: t.noneFound } : null}
          onPage={(page) => void navigate({ search: (was) => ({ ...was, page }) })}
        />
      )}
    </Page>
  );
}

const choice = (
  name: string,
  label: string,
  options: readonly { value: string; label: string }[],
) => ({ kind: 'choice' as const, name, label, options });
