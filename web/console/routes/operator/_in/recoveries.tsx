import { Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { FACTOR_RECOVERY_STATUSES } from '../../../../../domain/lifecycle/factor-recovery.ts';
import { Filters } from '../../../parts/filters.tsx';
import { type Column, List } from '../../../parts/list-page.tsx';
import { NONE } from '../../../parts/none.tsx';
import { Page } from '../../../parts/page.tsx';
import { numberOf, oneOf, stated } from '../../../parts/search.ts';
import { useSearchChange } from '../../../parts/search-change.ts';
import { type Same, useTexts, wordOf } from '../../../parts/texts.ts';
import { When } from '../../../parts/time.tsx';
import { recoveries as read, type Recovery } from '../../../queries/operator/recovery.ts';
import { recovery } from '../../../texts/recovery.ts';
import { titles } from '../../../texts/titles.ts';
import { RecoveryDecision } from './-shown/recovery-decision.tsx';

type Words = Same<(typeof recovery)['en']>;

const COLUMNS: readonly Column<Recovery, Words>[] = [
  {
    key: 'who',
    title: (t) => t.who,
    cell: (row, t) => (
      <Stack gap={2}>
        {row.username ?? NONE}
        <Text size="xs" c="dimmed">
          {t.kinds[row.kind]} · {t.people[row.person]}
        </Text>
      </Stack>
    ),
  },
  {
    key: 'from',
    title: (t) => t.from,
    cell: ({ device, network, country }) =>
      [device, network, country].filter((each) => each !== null).join(' · '),
  },
  { key: 'asked', title: (t) => t.asked, cell: (row) => <When at={row.created_at} /> },
  { key: 'notBefore', title: (t) => t.notBefore, cell: (row) => <When at={row.not_before} /> },
  { key: 'status', title: (t) => t.status, cell: (row, t) => <State row={row} t={t} /> },
  { key: 'vouchedBy', title: (t) => t.vouchedBy, cell: (row) => row.vouched_by ?? NONE },
  { key: 'actions', title: (t) => t.actions, cell: (row) => <RecoveryDecision row={row} /> },
];

export const Route = createFileRoute('/operator/_in/recoveries')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      status: oneOf(FACTOR_RECOVERY_STATUSES, raw['status']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(read(deps));
  },
  staticData: { title: (language) => titles[language].operatorRecoveries },
  component: Recoveries,
});

function State({ row: { status, approval_id: approval, note }, t }: { row: Recovery; t: Words }) {
  const why = status === 'WAITING' && approval !== null ? t.waitsForSecond : null;
  const end = note === null ? why : wordOf(t.ends, note);
  return (
    <Stack gap={2}>
      {t.statuses[status]}
      {end !== null && (
        <Text size="xs" c="dimmed">
          {end}
        </Text>
      )}
    </Stack>
  );
}

function Recoveries() {
  const t = useTexts(recovery);
  const search = Route.useSearch();
  const set = useSearchChange();
  return (
    <Page title={t.title} lead={t.lead}>
      <Filters
        values={search}
        filters={[
          {
            kind: 'choice',
            name: 'status',
            label: t.status,
            options: FACTOR_RECOVERY_STATUSES.map((value) => ({ value, label: t.statuses[value] })),
          },
        ]}
        onChange={set}
      />
      <List
        label={t.title}
        query={read(search)}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.empty }}
        searchEmpty={search.status === undefined ? null : { title: t.noneFound }}
        onPage={(page) => set({ page })}
      />
    </Page>
  );
}
