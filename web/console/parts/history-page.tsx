import type { ReactNode } from 'react';
import type { HistoryEntry } from '../../client/routes.ts';
import { history } from '../texts/history.ts';
import { DayInput } from './day-input.tsx';
import { Filters } from './filters.tsx';
import { HistoryList } from './history-list.tsx';
import type { Owner } from './identity.ts';
import { historyOf, type HistorySearch } from './history-search.ts';
import { Page } from './page.tsx';
import { dayOf } from './report-range.ts';
import { stated } from './search.ts';
import { type Same, useTexts } from './texts.ts';

type Words = Same<(typeof history)['en']>;

/** Who changed what, when, with what it was before. */
export function HistoryPage({
  realm,
  search,
  subjects,
  addressOf,
  undo,
  onChange,
}: {
  realm: Owner;
  search: HistorySearch;
  /** Kinds of records that this side has. */
  subjects: readonly (keyof Words['subjects'])[];
  /** The page of a record, where it has one. */
  addressOf: (subject: HistoryEntry['subject']) => string | null;
  /** The way back from a change, where it has one. */
  undo: (row: HistoryEntry) => ReactNode;
  onChange: (change: HistorySearch) => void;
}) {
  const t = useTexts(history);
  const { page: _page, ...filters } = search;
  const day = (name: 'start_date' | 'end_date', label: string) => (
    <DayInput
      label={label}
      value={search[name]}
      onChange={(next) => onChange({ page: undefined, [name]: dayOf(next) } as HistorySearch)}
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
      <HistoryList
        query={historyOf(realm, search)}
        addressOf={addressOf}
        undo={undo}
        isFiltered={Object.keys(filters).length > 0}
        onPage={(page) => onChange({ page })}
      />
    </Page>
  );
}
