import { Anchor, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { HistoryEntry } from '../../client/routes.ts';
import { history } from '../texts/history.ts';
import { Diff } from './diff.tsx';
import { Filters } from './filters.tsx';
import type { Owner } from './identity.ts';
import { type Column, List } from './list-page.tsx';
import { historyOf, type HistorySearch } from './history-search.ts';
import { Page } from './page.tsx';
import { Person } from './person.tsx';
import { dayOf } from './report-range.ts';
import { stated } from './search.ts';
import { type Same, useTexts, wordOf } from './texts.ts';
import { When } from './time.tsx';

type Words = Same<(typeof history)['en']>;

/** Who changed what, when, with what it was before. */
export function HistoryPage({
  realm,
  search,
  subjects,
  addressOf,
  onChange,
}: {
  realm: Owner;
  search: HistorySearch;
  /** Kinds of records that this side has. */
  subjects: readonly (keyof Words['subjects'])[];
  /** The page of a record, where it has one. */
  addressOf: (subject: HistoryEntry['subject']) => string | null;
  onChange: (change: HistorySearch) => void;
}) {
  const t = useTexts(history);
  const { page: _page, ...filters } = search;
  const day = (name: 'start_date' | 'end_date', label: string) => (
    <TextInput
      type="date"
      size="sm"
      label={label}
      value={search[name] ?? ''}
      onChange={(event) =>
        onChange({ page: undefined, [name]: dayOf(event.currentTarget.value) } as HistorySearch)
      }
    />
  );
  return (
    <Page title={t.title} lead={t.lead}>
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: '0.75rem', alignItems: 'flex-end' }}>
        <Filters
          values={stated({ subject_type: search.subject_type })}
          filters={[
            {
              kind: 'choice',
              name: 'subject_type',
              label: t.kind,
              options: subjects.map((value) => ({ value, label: t.subjects[value] })),
            },
          ]}
          onChange={(change) => onChange({ page: undefined, ...change } as HistorySearch)}
        />
        {day('start_date', t.from)}
        {day('end_date', t.to)}
      </div>
      <List
        label={t.title}
        query={historyOf(realm, search)}
        columns={columnsOf(addressOf)}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none }}
        searchEmpty={Object.keys(filters).length > 0 ? { title: t.noneFound } : null}
        onPage={(page) => onChange({ page })}
      />
    </Page>
  );
}

const columnsOf = (
  addressOf: (subject: HistoryEntry['subject']) => string | null,
): readonly Column<HistoryEntry, Words>[] => [
  { key: 'when', title: (t) => t.when, cell: (row) => <When at={row.created_at} /> },
  {
    key: 'who',
    title: (t) => t.who,
    cell: (row, t) => (row.person === null ? t.by[row.by] : <Person person={row.person} />),
  },
  {
    key: 'what',
    title: (t) => t.what,
    cell: ({ action }, t) => wordOf(t.verbs, action.split('.')[1] ?? action),
  },
  {
    key: 'on',
    title: (t) => t.on,
    cell: ({ subject }, t) => {
      const kind = wordOf(t.subjects, subject.type);
      const text = `${kind} ${subject.name ?? (subject.id === null ? '' : `#${subject.id}`)}`;
      const address = addressOf(subject);
      return address === null ? (
        text
      ) : (
        <Anchor component={Link} to={address}>
          {text}
        </Anchor>
      );
    },
  },
  {
    key: 'changes',
    title: (t) => t.changes,
    cell: ({ changes }, t) =>
      changes.length === 0 ? (
        '—'
      ) : (
        <details>
          <summary>{t.show(changes.length)}</summary>
          <Diff changes={changes} />
        </details>
      ),
  },
];
