import { lazy, type ReactNode, Suspense } from 'react';
import type { HistoryEntry } from '../../client/routes.ts';
import { history } from '../texts/history.ts';
import { targetingTexts } from '../texts/targeting.ts';
import type { historyOf } from './history-search.ts';
import { type Column, List } from './list-page.tsx';
import { Person } from './person.tsx';
import { type Same, useMarks, useTexts, wordOf } from './texts.ts';
import { When } from './time.tsx';
import { RowLink } from './row-link.tsx';

type Words = Same<(typeof history)['en']>;
/** Words for every value of every field come once a history is looked at. */
const ChangesShown = lazy(async () => {
  const { ChangesShown: shown } = await import('./changes-shown.tsx');
  return { default: shown };
});

type AddressOf = (subject: HistoryEntry['subject']) => string | null;

/** Who changed what, newest first: of one thing, or of a whole account. */
export function HistoryList(props: {
  query: ReturnType<typeof historyOf>;
  /** The page of a record, where it has one. */
  addressOf?: AddressOf;
  /** The way back from a change, where it has one. */
  undo?: (row: HistoryEntry) => ReactNode;
  isFiltered?: boolean;
  onPage: (page: number) => void;
}) {
  const { query, addressOf = () => null, undo, isFiltered = false, onPage } = props;
  const t = useTexts(history);
  const names = useFieldNames();
  const { comma } = useMarks();
  return (
    <List
      label={t.title}
      query={query}
      columns={[
        ...columnsOf(addressOf, names, comma),
        ...(undo === undefined ? [] : [{ key: 'undo', title: () => '', cell: undo }]),
      ]}
      texts={t}
      rowKey={({ id }) => id}
      empty={{ title: t.none }}
      searchEmpty={isFiltered ? { title: t.noneFound } : null}
      onPage={onPage}
    />
  );
}

/** Words of records' fields. */
export function useFieldNames(): Record<string, string> {
  const t = useTexts(history);
  const { fields } = useTexts(targetingTexts);
  return { ...t.fields, ...fields };
}

const columnsOf = (
  addressOf: AddressOf,
  names: Readonly<Record<string, string>>,
  comma: string,
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
    cell: ({ subject, action }, t) => {
      // It is of the account, as the profile is.
      if (action.startsWith('kyc.')) return t.subjects.kyc;
      const kind = wordOf(t.subjects, subject.type);
      const text = `${kind} ${subject.name ?? (subject.id === null ? '' : `#${subject.id}`)}`;
      const address = addressOf(subject);
      return address === null ? text : <RowLink to={address}>{text}</RowLink>;
    },
  },
  {
    key: 'changes',
    title: (t) => t.changes,
    cell: ({ changes }) => {
      if (changes.length === 0) return '—';
      const inNames = changes.map(({ field }) => wordOf(names, field)).join(comma);
      return (
        <Suspense fallback={inNames}>
          <ChangesShown changes={changes} names={names} />
        </Suspense>
      );
    },
  },
];
