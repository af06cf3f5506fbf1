import { Text } from '@mantine/core';
import { type Column, List } from '../../../parts/list-page.tsx';
import { usePreferences } from '../../../parts/preferences.tsx';
import { ReviewReasons } from '../../../parts/review-reasons.tsx';
import { Section } from '../../../parts/section.tsx';
import { type Same, useTexts, wordOf } from '../../../parts/texts.ts';
import { formatDay, When } from '../../../parts/time.tsx';
import { NONE } from '../../../parts/none.tsx';
import type { RemovalAppeal } from '../../../../client/routes.ts';
import { list } from '../../../queries/publisher/removal-appeal.ts';
import { removal } from '../../../texts/removal.ts';
import { unbilled } from '../../../texts/unbilled.ts';

type Words = Same<(typeof removal)['en']>;

const COLUMNS: readonly Column<RemovalAppeal, Words>[] = [
  { key: 'day', title: (t) => t.day, cell: ({ date }) => <Day date={date} /> },
  { key: 'zone', title: (t) => t.zone, cell: (row) => row.zone_name },
  { key: 'reason', title: (t) => t.reason, cell: ({ reason }) => <Removed reason={reason} /> },
  {
    key: 'events',
    title: (t) => t.events,
    isNumber: true,
    cell: (row) => (row.impressions + row.clicks + row.conversions).toLocaleString('en'),
  },
  { key: 'sent', title: (t) => t.sentAt, cell: (row) => <When at={row.created_at} /> },
  { key: 'status', title: (t) => t.status, cell: ({ status }, t) => t.states[status] },
  { key: 'answer', title: (t) => t.answer, cell: (row, t) => <Answer row={row} t={t} /> },
];

function Day({ date }: { date: string }) {
  return formatDay(date, usePreferences().language);
}

function Removed({ reason }: { reason: string }) {
  return wordOf(useTexts(unbilled).reasons, reason);
}

function Answer({ row, t }: { row: RemovalAppeal; t: Words }) {
  if (row.status === 'UPHELD') return <Text size="sm">{t.upheld}</Text>;
  if (row.status === 'OPEN') return NONE;
  return <ReviewReasons realm="publisher" subject="removal_appeal" reasons={row.reasons} />;
}

/** What was said against removals, and what became of it. */
export function RemovalAppeals({
  page,
  onPage,
}: {
  page: number | undefined;
  onPage: (page: number) => void;
}) {
  const t = useTexts(removal);
  return (
    <Section title={t.appeals}>
      <List
        label={t.appeals}
        query={list(page === undefined ? {} : { page })}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none, next: <Text c="dimmed">{t.noneHelp}</Text> }}
        searchEmpty={null}
        onPage={onPage}
      />
    </Section>
  );
}
