import { Stack, Text } from '@mantine/core';
import type { HistoryEntry } from '../../../../client/routes.ts';
import { Diff } from '../../../parts/diff.tsx';
import { type Column, List } from '../../../parts/list-page.tsx';
import { Person } from '../../../parts/person.tsx';
import { type Same, useTexts, wordOf } from '../../../parts/texts.ts';
import { When } from '../../../parts/time.tsx';
import { history, type HistoryQuery } from '../../../queries/advertiser/history.ts';
import { historyTexts } from '../../../texts/advertiser/history.ts';

type Words = Same<(typeof historyTexts)['en']>;

const COLUMNS: readonly Column<HistoryEntry, Words>[] = [
  { key: 'when', title: (t) => t.when, cell: (row) => <When at={row.created_at} /> },
  {
    key: 'who',
    title: (t) => t.who,
    cell: (row, t) => (row.person === null ? t.by[row.by] : <Person person={row.person} />),
  },
  {
    key: 'what',
    title: (t) => t.what,
    cell: ({ subject, action }, t) => (
      <Stack gap={0}>
        <span>{actionIn(t, action)}</span>
        <Text size="xs" c="dimmed">
          {wordOf(t.subjects, subject.type)} {subject.name ?? `#${subject.id}`}
        </Text>
      </Stack>
    ),
  },
  {
    key: 'changes',
    title: (t) => t.changes,
    cell: ({ changes }, t) =>
      changes.length === 0 ? (
        '—'
      ) : (
        <details>
          <summary>{changes.map(({ field }) => wordOf(t.fields, field)).join(', ')}</summary>
          <Diff changes={changes} names={t.fields} />
        </details>
      ),
  },
];

/** `campaign.update` → a word for its last part, else the name itself. */
const actionIn = (t: Words, action: string): string => {
  const word = wordOf(t.actions, action.split('.').at(-1));
  return word === action.split('.').at(-1) ? action : word;
};

/** Who changed what: of one thing, or of the whole account. */
export function HistoryList(props: {
  query: HistoryQuery;
  isFiltered?: boolean;
  onPage: (page: number) => void;
}) {
  const t = useTexts(historyTexts);
  return (
    <List
      label={t.title}
      query={history(props.query)}
      columns={COLUMNS}
      texts={t}
      rowKey={({ id }) => id}
      empty={{ title: t.none }}
      searchEmpty={props.isFiltered === true ? { title: t.noneFound } : null}
      onPage={props.onPage}
    />
  );
}
